/**
 * A version of a value: a counter, and who wrote it to break ties. Writers are unique for each start of a node
 * (`n1.3` is the third start of n1), so no two writes ever carry the same timestamp.
 */
export type Timestamp = readonly [counter: number, writer: string]

/** Older than everything that was ever written. */
export const beginning: Timestamp = [0, '']

/** Negative when `a` is older than `b`, zero when they are the same version. */
export function compareTimestamps(a: Timestamp, b: Timestamp): number {
  if (a[0] !== b[0]) return a[0] - b[0]
  return a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0
}
