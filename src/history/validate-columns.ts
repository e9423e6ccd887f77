import { outcomeCode, type Columns } from './columns.js'
import type { HistoryProblem } from './problem.js'

interface Wrong {
  /** The operation at which it shows, by its place in the order of adding. */
  readonly added: number
  readonly problem: HistoryProblem
}

/**
 * Judges a history as a whole: every id once, and no process with two operations in flight.
 *
 * A process may go on after an operation of unknown outcome; the recorder retires it, other tools may not.
 * `order` is the place of every operation in the order of adding. Returns the first problem, or null.
 */
export function validateColumns(columns: Columns, order: Int32Array): Wrong | null {
  return (hasRepeatedId(columns) ? duplicateId(columns, order) : null) ?? overlap(columns, order)
}

/** Recorders count their operations: then a bit for each is enough. */
function hasRepeatedId(columns: Columns): boolean {
  const limit = 8 * columns.count
  const seen = new Uint8Array(limit)
  const others = new Set<string | number>()
  for (let index = 0; index < columns.count; index += 1) {
    const id = columns.idAt(index)
    if (typeof id === 'number' && id >= 0 && id < limit) {
      if (seen[id] === 1) return true
      seen[id] = 1
    } else {
      if (others.has(id)) return true
      others.add(id)
    }
  }
  return false
}

function duplicateId(columns: Columns, order: Int32Array): Wrong | null {
  const inOrderOfAdding = [...order.keys()].sort((a, b) => (order[a] as number) - (order[b] as number))
  const seen = new Set<string | number>()
  for (const index of inOrderOfAdding) {
    const id = columns.idAt(index)
    if (!seen.has(id)) {
      seen.add(id)
      continue
    }
    const message = `operation id ${JSON.stringify(id)} is used twice: a recorder error`
    const hint =
      'a retry is a new operation with a new id; two answers to one operation mean that the recorder is wrong'
    return { added: order[index] as number, problem: { code: 'duplicate-id', message, hint } }
  }
  return null
}

function overlap(columns: Columns, order: Int32Array): Wrong | null {
  const before = new Int32Array(columns.processes.length).fill(-1)
  for (let index = 0; index < columns.count; index += 1) {
    const process = columns.process[index] as number
    const last = before[process] as number
    before[process] = index
    if (last === -1 || columns.outcome[last] === outcomeCode.unknown) continue
    if ((columns.completedAt(last) as number) <= columns.invokedAt(index)) continue
    const [name, id, first] = [columns.processes[process], columns.idAt(index), columns.idAt(last)].map(
      (it) => JSON.stringify(it),
    )
    const message = `process ${name} invokes operation ${id} while its operation ${first} is still in flight`
    return { added: order[index] as number, problem: { code: 'invoked-twice', message } }
  }
  return null
}
