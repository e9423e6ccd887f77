import { outcomeOf, type Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import { isBuiltIn } from '../../../models/built-in.js'
import type { Model } from '../../../models/model.js'
import { counterCuts } from './counter-cuts.js'
import { logCuts } from './log-cuts.js'
import { balancesShown, membersShown, textShown, wholeAnswerCuts } from './whole-answers.js'

/** What a part of an object's history is judged by when what came before is not looked at. */
export interface Cut {
  /** The state right after the operation that shows it, as `init` of the model. */
  readonly init: Json
  /** Changes that may take effect after that moment, or may not. */
  readonly open: readonly Operation[]
}

/** What is left of an object's history after an operation that shows its state. */
export interface Rest {
  /** Began after that operation had returned, and took effect. */
  readonly core: readonly Operation[]
  /** All other changes that may take effect after it, and before the core has returned. */
  readonly open: readonly Operation[]
}

/** How the history of one object can be cut. */
export interface Cuts {
  /** Whether its answer tells all that matters of the state that it left, so that every order has that state there. */
  shows(operation: Operation): boolean
  /** The cut right after such an operation; null where it has no words for the state. */
  after(shown: Operation, rest: Rest): Cut | null
}

/** By model: how to cut the history of one object, in which nothing is failed and every type is known. */
const byModel: Readonly<Record<string, (history: readonly Operation[], model: Model) => Cuts>> = {
  counter: (history, { semantics }) => counterCuts(history, Number(semantics.init ?? 0)),
  log: (history) => logCuts(history),
  'kv-string-append': () => wholeAnswerCuts(textShown),
  'membership-table': () => wholeAnswerCuts(membersShown),
  ledger: (history) => wholeAnswerCuts(balancesShown(history)),
}

/** The history of one object that can be cut. */
export interface CutHistory {
  /** What is not failed and of a type that the model knows, as recorded. */
  readonly operations: readonly Operation[]
  readonly cuts: Cuts
}

/**
 * The history of the object that the operations are on, and how to cut it. Null when they are on several, or when no
 * answer of the model's shows a state that its `init` can be: such as of a lease, or of a model of the user's own.
 */
export function cutHistory(
  history: readonly Operation[],
  { model, named }: { model: Model; named: readonly Operation[] },
): CutHistory | null {
  const cutsBy = Object.hasOwn(byModel, model.name) && isBuiltIn(model) ? byModel[model.name] : undefined
  const [first] = named
  if (cutsBy === undefined || first === undefined) return null
  const isOfObject = ({ key }: Operation) => model.partition === 'whole' || key === first.key
  if (!named.every(isOfObject)) return null
  const operations = history.filter(
    (operation) =>
      isOfObject(operation) &&
      model.operations.includes(operation.op_type) &&
      outcomeOf(operation) !== 'failed',
  )
  return { operations, cuts: cutsBy(operations, model) }
}
