import { outcomeOf, type Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import { canonical } from '../../../models/canonical.js'
import type { CleanHistory } from '../../mutation.js'
import { perHistory } from '../../per-history.js'
import { grouped } from '../../../checkers/grouped.js'

const addTypes: ReadonlySet<string> = new Set(['add', 'insert', 'join'])
const removeTypes: ReadonlySet<string> = new Set(['remove', 'delete', 'leave'])

const readTypes: ReadonlySet<string> = new Set(['read', 'view'])

/** An acknowledged read of all elements. */
interface ElementsRead {
  readonly operation: Operation
  readonly elements: readonly Json[]
  /** What it would answer had it seen others. */
  answer(elements: readonly Json[]): Json
}

/** Everything that happened to one set. */
export interface SetHistory {
  readonly key: Operation['key']
  /** Every element that some operation tried to add, or that was there at first. */
  readonly known: ReadonlySet<string>
  /** When an element that nothing may have removed was first acknowledged; below 0 when it was there at first. */
  readonly presentFrom: ReadonlyMap<string, number>
  /** Acknowledged reads of all elements, in order of invocation. */
  readonly reads: readonly ElementsRead[]
  /** Acknowledged questions for one element. */
  readonly questions: readonly Operation[]
}

/** The history of each set by its key. */
export const setHistories = perHistory(({ operations, model }: CleanHistory): readonly SetHistory[] => {
  const keys = grouped(operations, ({ key }) => key)
  const init = model?.semantics.init
  const initial = Array.isArray(init) ? init.map(canonical) : []
  return [...keys].map(([key, its]) => historyOf(key, its, initial))
})

function historyOf(
  key: Operation['key'],
  operations: readonly Operation[],
  initial: readonly string[],
): SetHistory {
  const known = new Set(initial)
  const presentFrom = new Map(initial.map((text) => [text, -1]))
  const removed: string[] = []
  const reads: ElementsRead[] = []
  const questions: Operation[] = []
  for (const operation of operations) {
    const { op_type: type, input, complete_ts: completed } = operation
    const isOk = outcomeOf(operation) === 'ok'
    if (addTypes.has(type)) {
      const text = canonical(input)
      known.add(text)
      if (isOk && completed !== null)
        presentFrom.set(text, Math.min(completed, presentFrom.get(text) ?? Infinity))
    } else if (removeTypes.has(type)) {
      removed.push(canonical(input))
    } else if (isOk && readTypes.has(type)) {
      const read = readOf(operation)
      if (read !== null) reads.push(read)
    } else if (isOk && type === 'contains') {
      questions.push(operation)
    }
  }
  for (const text of removed) presentFrom.delete(text)
  return { key, known, presentFrom, reads, questions }
}

/** A list of the elements, or of members as `{ members }`. */
function readOf(operation: Operation): ElementsRead | null {
  const { output } = operation
  if (Array.isArray(output)) return { operation, elements: output, answer: (elements) => [...elements] }
  if (typeof output !== 'object' || output === null || !Array.isArray(output['members'])) return null
  const answer = (members: readonly Json[]) => ({ ...output, members: [...members] })
  return { operation, elements: output['members'], answer }
}

/** For words: an operation by its id. */
export function named({ op_type: type, op_id: id }: Operation): string {
  return `${type} (operation ${JSON.stringify(id)})`
}
