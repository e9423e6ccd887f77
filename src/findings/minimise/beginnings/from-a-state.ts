import type { Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import type { Model } from '../../../models/model.js'
import { attributed } from '../../../models/operation-error.js'
import { modelNamed } from '../../../models/named.js'
import { seenBy } from '../../../sensitivity/model-operation.js'
import { countUpTo } from '../ties/lists.js'
import { cutHistory, type CutHistory } from './cuts.js'

/** The state that a core begins with in place of all that was before. */
export interface Beginning {
  /** As `init` of the model. */
  readonly init: Json
  /** In the words of the model. */
  readonly state: string
  /** The operation whose answer shows it. It comes right before the core, and is not in it. */
  readonly shownBy: Operation
}

/** A violation from some state on. */
export interface FromAState {
  readonly beginning: Beginning
  /** As recorded, in order of invocation, each of them needed. */
  readonly operations: readonly Operation[]
  /** Other changes that may have taken effect in between, or not, as operations of unknown outcome. */
  readonly open: readonly Operation[]
  /** False when the time was over before each operation was tried. */
  readonly minimal: boolean
}

/** Whether the model finds no order of the operations; null when there is no more time to ask. */
export type Refutes = (operations: readonly Operation[], model: Model) => Promise<boolean | null>

/** How many cuts are tried, and the operations that a core may have before it is made small. */
const mostCuts = 16
const mostBetween = 300

/**
 * Looks for the smallest core that begins with a state which an answer of the history shows, of a history that is not
 * linearizable; null when there is none.
 *
 * Whatever order explains the history has the state that `shownBy` tells right after it. What had returned before it began
 * comes before, and what began after it had returned comes after; of the rest of the changes, those of unknown outcome
 * among them, nobody knows. So a violation from that state by some of what comes after, in which all other changes *may*
 * happen, shows that no order explains the history. That an operation only may have happened leaves more orders than
 * that it did, and that an observer is not there, too: any of them may be left out in this way.
 */
export async function fromAState(
  history: readonly Operation[],
  { model, named, refutes }: { model: Model; named: readonly Operation[]; refutes: Refutes },
): Promise<FromAState | null> {
  const cut = cutHistory(history, { model, named })
  if (cut === null) return null
  const object = new CutObject(cut, { model, refutes })
  const answered = named.filter(({ complete_ts: completed }) => completed !== null)
  let best: FromAState | null = null
  for (const shown of momentsBefore(answered, cut)) {
    const found = await object.after(shown, answered)
    if (found === null) break
    if (found === 'none' || (best !== null && sizeOf(found) >= sizeOf(best))) continue
    best = found
    if (!found.minimal || sizeOf(found) === 1) break
  }
  return best
}

/** What a reader has to look at counts first. */
function sizeOf({ operations, open }: FromAState): number {
  return operations.length + open.length / 1_000
}

/** Operations that show a state and had returned before one of the named began: the named, then the latest, then earlier. */
function momentsBefore(named: readonly Operation[], { operations, cuts }: CutHistory): readonly Operation[] {
  const latest = Math.max(...named.map(({ invoke_ts: invoked }) => invoked))
  const showing = operations
    .filter(
      (operation) =>
        operation.complete_ts !== null && operation.complete_ts < latest && cuts.shows(operation),
    )
    .toSorted((one, other) => (one.complete_ts as number) - (other.complete_ts as number))
  const moments = new Set(named.filter((operation) => showing.includes(operation)))
  for (const { invoke_ts: invoked } of named.toReversed()) {
    const before = countUpTo(showing, invoked - 1, ({ complete_ts }) => complete_ts as number)
    const last = showing[before - 1]
    if (last !== undefined) moments.add(last)
  }
  for (let back = 2; back <= showing.length && moments.size < mostCuts; back *= 2) {
    moments.add(showing[showing.length - back] as Operation)
  }
  return [...moments].slice(0, mostCuts)
}

/** The history of one object, cut at one operation after the other. */
class CutObject {
  readonly #cut: CutHistory
  readonly #model: Model
  readonly #refutes: Refutes
  readonly #changes: readonly Operation[]

  constructor(cut: CutHistory, { model, refutes }: { model: Model; refutes: Refutes }) {
    this.#cut = cut
    this.#model = model
    this.#refutes = refutes
    this.#changes = cut.operations.filter((operation) => !this.#isObserver(operation))
  }

  /** The smallest core after the operation; null when the time is over. */
  async after(shown: Operation, named: readonly Operation[]): Promise<FromAState | 'none' | null> {
    const isAfter = ({ invoke_ts: invoked }: Operation) => invoked > (shown.complete_ts as number)
    const core = named.filter(isAfter)
    if (core.length === 0) return 'none'
    const end = Math.max(...core.map(({ complete_ts: completed }) => completed as number))
    let found = await this.#violation(shown, core)
    if (found === 'none') {
      const between = this.#cut.operations.filter(
        (operation) => isAfter(operation) && operation.complete_ts !== null && operation.complete_ts <= end,
      )
      if (between.length > core.length && between.length <= mostBetween) {
        found = await this.#violation(shown, between)
      }
    }
    return found === 'none' || found === null ? found : this.#smallest(found)
  }

  /** Leaves out ever fewer operations at once, until none can go. */
  async #smallest(whole: FromAState): Promise<FromAState> {
    let smallest = whole
    for (let size = whole.operations.length >> 1; size > 0;) {
      const { length } = smallest.operations
      for (let from = smallest.operations.length - size; from > -size; from -= size) {
        const { beginning, operations } = smallest
        const rest = operations.filter((_, place) => place < from || place >= from + size)
        if (rest.length === 0) continue
        const found = await this.#violation(beginning.shownBy, rest)
        if (found === null) return { ...smallest, minimal: false }
        if (found !== 'none') smallest = found
      }
      // Single ones are tried until a whole round leaves nothing out.
      if (size > 1) size = Math.min(size >> 1, Math.max(1, smallest.operations.length >> 1))
      else if (smallest.operations.length === length) break
    }
    return smallest
  }

  /** The core from the state that was shown, when it is a violation. */
  async #violation(shown: Operation, core: readonly Operation[]): Promise<FromAState | 'none' | null> {
    const { cuts } = this.#cut
    const cut = cuts.after(shown, { core, open: this.#openTo(shown, core) })
    if (cut === null) return 'none'
    const { name, semantics } = this.#model
    const model = modelNamed(name, { ...semantics, init: cut.init })
    const open = cut.open.map(asOpen)
    const answer = await this.#refutes(historyOf({ operations: core, open }), model)
    if (answer !== true) return answer === null ? null : 'none'
    const state = model.describeState(model.init(shown.key))
    return { beginning: { init: cut.init, state, shownBy: shown }, operations: core, open, minimal: true }
  }

  /** Changes other than those of the core that may come after what was shown and before the core has returned. */
  #openTo(shown: Operation, core: readonly Operation[]): readonly Operation[] {
    const end = Math.max(...core.map(({ complete_ts: completed }) => completed as number))
    const taken = new Set(core).add(shown)
    return this.#changes.filter((operation) => {
      const { invoke_ts: invoked, complete_ts: completed } = operation
      return invoked <= end && (completed === null || completed >= shown.invoke_ts) && !taken.has(operation)
    })
  }

  #isObserver(operation: Operation): boolean {
    const { op_id: id, op_type: type } = operation
    return attributed(id, () => this.#model.isObserver(type, seenBy(this.#model, operation)))
  }
}

/** What shows the violation, as a history of its own, in order of invocation. */
export function historyOf({
  operations,
  open,
}: Pick<FromAState, 'operations' | 'open'>): readonly Operation[] {
  return [...operations, ...open].toSorted((one, other) => one.invoke_ts - other.invoke_ts)
}

/**
 * The operation as one of unknown outcome. Its process may go on in the core, and no process does after such an operation, so
 * that it gets one of its own.
 */
function asOpen(operation: Operation): Operation {
  const { op_id: id, complete_ts: completed } = operation
  if (completed === null) return operation
  const error = 'may have been part of the state before; its answer is left out'
  return {
    ...operation,
    process_id: `of ${id}`,
    complete_ts: null,
    output: null,
    error,
    timeout_marker: true,
  }
}
