import type { LogRead } from './log-history.js'

/** Offsets that a read passed without showing them, from `from` to `to`, both included. */
export interface Hole {
  readonly from: number
  readonly to: number
  /** False for what lies before the first record, where the log may begin later than asked for. */
  readonly isInside: boolean
}

/** What an answer leaves out between the position asked for and its highest offset, in order. */
export function holesOf({ from, offsets, isList }: LogRead): readonly Hole[] {
  if (isList || offsets.length === 0) return []
  const sorted = isAscending(offsets) ? offsets : offsets.toSorted((a, b) => a - b)
  let start = 0
  // What lies before the position asked for is out of place, and says nothing of what is passed.
  while (from !== null && start < sorted.length && (sorted[start] as number) < from) start += 1
  const first = sorted[start]
  if (first === undefined) return []
  const holes: Hole[] = []
  if (from !== null && from < first) holes.push({ from, to: first - 1, isInside: false })
  for (let i = start + 1; i < sorted.length; i += 1) {
    const before = sorted[i - 1] as number
    const offset = sorted[i] as number
    if (offset > before + 1) holes.push({ from: before + 1, to: offset - 1, isInside: true })
  }
  return holes
}

function isAscending(offsets: readonly number[]): boolean {
  for (let i = 1; i < offsets.length; i += 1) {
    if ((offsets[i] as number) < (offsets[i - 1] as number)) return false
  }
  return true
}
