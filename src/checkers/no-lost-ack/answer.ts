import type { Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import { tell } from '../words.js'

/** What one key held at the end, as one node or one read of the history shows it. */
export interface FinalAnswer {
  readonly value: Json
  /** The node that was asked; null when a read of the history shows it. */
  readonly node: string | null
  readonly read: Operation | null
}

/** Where something is seen or missed, such as `on n1, n2` or `in read() by process 4 (operation 9)`. */
export function placeOf(answers: readonly FinalAnswer[]): string {
  const nodes = answers.flatMap(({ node }) => (node === null ? [] : [node]))
  const reads = answers.flatMap(({ read }) => (read === null ? [] : [tell(read)]))
  return [
    ...(nodes.length === 0 ? [] : [`on ${nodes.join(', ')}`]),
    ...(reads.length === 0 ? [] : [`in ${reads.join(', ')}`]),
  ].join(' and ')
}

/** The ids of the reads, in order of invocation. */
export function readsIn(answers: readonly FinalAnswer[]): (string | number)[] {
  return answers
    .flatMap(({ read }) => (read === null ? [] : [read]))
    .sort((a, b) => a.invoke_ts - b.invoke_ts)
    .map(({ op_id: id }) => id)
}
