import { outcomeOf, type Operation } from '../history/operation.js'
import { describeCall } from '../models/describe.js'

/** Columns of a line for each moment at which an operation began or returned. */
const step = 2

/**
 * Operations as lines of text, in order of invocation, each with a bar from its invocation to its return, so that one
 * sees which were in flight together. Only the order of the moments counts; a bar without an end has no answer.
 */
export function overlapLines(operations: readonly Operation[]): string[] {
  const ordered = operations.toSorted((one, other) => one.invoke_ts - other.invoke_ts)
  const moments = [
    ...new Set(
      ordered.flatMap(({ invoke_ts: invoked, complete_ts: completed }) => [invoked, completed ?? invoked]),
    ),
  ].toSorted((one, other) => one - other)
  const columnOf = new Map(moments.map((moment, index) => [moment, index * step]))
  const width = moments.length * step + 1
  const texts = ordered.map(inWords)
  const longest = Math.max(0, ...texts.map(({ length }) => length))
  return ordered.map((operation, index) => {
    const from = columnOf.get(operation.invoke_ts) as number
    const { complete_ts: completed } = operation
    const to = completed === null ? width : (columnOf.get(completed) as number)
    const bar =
      completed === null ? `|${'-'.repeat(to - from)}>` : `|${'-'.repeat(Math.max(0, to - from - 1))}|`
    return `${(texts[index] as string).padEnd(longest)}  ${' '.repeat(from)}${bar}`
  })
}

function inWords(operation: Operation): string {
  const { op_id: id, process_id: process, op_type: type, key, input, output } = operation
  const call = describeCall({ type, key, input, output, outcome: outcomeOf(operation) })
  return `${JSON.stringify(id)} process ${JSON.stringify(process)}: ${call}`
}
