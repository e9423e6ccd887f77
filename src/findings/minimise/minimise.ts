import type { Checker, CheckInput, CheckResult } from '../../checkers/checker.js'
import type { Operation } from '../../history/operation.js'
import { shortestAnomaly } from '../violation.js'
import { explainFromAState } from './beginnings/explain.js'
import { fromAState, type Beginning } from './beginnings/from-a-state.js'
import { leaveOut } from './leave-out.js'
import { PartJudge } from './part-judge.js'
import { rulesFor, type Rules } from './rules.js'
import { closed, type ClosedPart, type Ties } from './ties/ties.js'

export interface MinimiseInput extends Pick<CheckInput, 'operations' | 'model' | 'faults' | 'signal'> {
  readonly checker: Pick<Checker, 'name' | 'usesModel' | 'check'>
  /** What `collect` of the checker returned; null (the default) when it collects nothing. */
  readonly collected?: CheckInput['collected']
  /** What the checker said of the operations. */
  readonly result: Pick<CheckResult, 'valid' | 'anomalies'>
  /** What is smallest by then is the answer. */
  readonly timeoutMs: number
  /** The core has to begin where the history begins, not with a state in the midst of it; false by default. */
  readonly fromTheStart?: boolean
}

/** The core of a violation: a small part of the history that is one by itself and shows that the whole is one. */
export interface Minimised {
  /** As they were recorded, in order of invocation. */
  readonly operations: readonly Operation[]
  /** The state that they begin with; null when they begin as the history does. */
  readonly beginning: Beginning | null
  /** With a beginning, the other changes that may have taken effect after it: each of unknown outcome, none a help. */
  readonly open: readonly Operation[]
  /** True when leaving out any one of them, with what depends on it, leaves no violation of this kind. */
  readonly minimal: boolean
  /** What the checker says of them. */
  readonly explanation: string
  /** The kind of anomaly that stays; null when the checker says no more than that the history is wrong. */
  readonly type: string | null
  /** How often the checker was asked. */
  readonly checks: number
  readonly ms: number
}

/** In no longer a history a core that begins as it does is looked for first, and is best when it has so few operations. */
const shortHistory = 1_000
const fewest = 3

/**
 * Makes a violation small without running anything again: the same checker still finds an anomaly of one and the same type
 * in what is left, no operation is there without its causes, and none can be left out. It begins with what the checker's
 * shortest anomaly names and its causes, else with the objects that it names, else with the whole history. Where closed
 * parts prove something (see `rulesFor`), the type is the one that the checker gives to the part that it begins with.
 *
 * Where an answer depends on all that was before it, as of logs and counters, the core may begin with a state in the midst
 * of the history (see `fromAState`), when it is smaller so.
 *
 * Null when there is nothing to make smaller: no violation, a checker of whose claim it is not known what may be left
 * out (see `rulesFor`), or one that does not find the violation again in time. Throws what the checker throws.
 */
export async function minimise(input: MinimiseInput): Promise<Minimised | null> {
  const startedAt = performance.now()
  const rules = rulesFor(input.checker, input.model)
  if (input.result.valid !== false || rules === null) return null
  const { operations } = input
  const anomaly = shortestAnomaly(input.result)
  const named = new Set(anomaly?.operations)
  const shown = operations.filter(({ op_id: id }) => named.has(id))
  if (rules.reach === 'anomaly' && shown.length === 0) return null
  const judge = new PartJudge(input, { type: anomaly?.type, startedAt })
  const smallest = () => smallestPart(input, { shown, rules, judge })
  if (rules.mayBeginLater !== true || input.fromTheStart === true) return smallest()
  if (operations.length > shortHistory) return (await fromSomeState(input, { shown, judge })) ?? smallest()
  const core = await smallest()
  if (core !== null && core.operations.length <= fewest) return core
  const later = await fromSomeState(input, { shown, judge })
  return later !== null && (core === null || sizeOf(later) < sizeOf(core)) ? later : core
}

function sizeOf({ operations, open }: Minimised): number {
  return operations.length + open.length
}

/** The core that begins as the history does. */
async function smallestPart(
  { operations, model }: MinimiseInput,
  { shown, rules, judge }: { shown: readonly Operation[]; rules: Rules; judge: PartJudge },
): Promise<Minimised | null> {
  const ties = rules.ties(rules.reach === 'anomaly' ? shown : operations)
  const asShown = (part: readonly Operation[]) => ties.shown?.(part) ?? part
  for (const start of startsOf({ shown, operations, ties, rules, model })) {
    const answer = await judge.begin(asShown(start.operations), { anyType: rules.reach === 'history' })
    if (answer === null) return null
    if (!answer) continue
    const left = await leaveOut(start, ties, (part) => judge.violates(asShown(part)))
    const explanation = await judge.explain(asShown(left.operations))
    const { type, checks, elapsedMs: ms } = judge
    return { ...left, beginning: null, open: [], explanation, type, checks, ms }
  }
  return null
}

/** The core that begins with a state in the midst of the history. */
async function fromSomeState(
  { model, operations }: MinimiseInput,
  { shown, judge }: { shown: readonly Operation[]; judge: PartJudge },
): Promise<Minimised | null> {
  if (model === null) return null
  const found = await fromAState(operations, { model, named: shown, refutes: judge.refutes })
  if (found === null) return null
  const { checks, elapsedMs: ms } = judge
  return { ...found, explanation: explainFromAState(found, model), type: null, checks, ms }
}

/** Closed parts of the history to begin with, the smallest first. */
function* startsOf({
  shown,
  operations,
  ties,
  rules,
  model,
}: {
  shown: readonly Operation[]
  operations: readonly Operation[]
  ties: Ties
  rules: Rules
  model: CheckInput['model']
}): Generator<ClosedPart> {
  if (shown.length > 0) yield closed(shown, { ties, history: operations })
  if (rules.reach === 'anomaly') return
  const keys = new Set(shown.map(({ key }) => key))
  if (shown.length > 0 && model?.partition !== 'whole') {
    const onKeys = operations.filter(({ key }) => keys.has(key))
    if (onKeys.length < operations.length) yield closed(onKeys, { ties, history: operations })
  }
  yield closed(operations, { ties, history: operations })
}
