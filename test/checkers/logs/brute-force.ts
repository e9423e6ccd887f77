import { outcomeOf, type Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'

interface Shown {
  readonly from: number
  readonly records: readonly (readonly [number, Json])[]
  readonly isList: boolean
}

/** What an answered read shows, of the two kinds that `randomLog` makes. */
export function shownBy({ output }: Operation): Shown {
  if (Array.isArray(output)) {
    return { from: 0, records: output.map((value, i) => [i, value] as const), isList: true }
  }
  const { from, records } = output as unknown as { from: number; records: [number, Json][] }
  return { from, records, isList: false }
}

/** The parts of the history of one log. Shares nothing with the code that it is to judge. */
export function partsOf(operations: readonly Operation[]) {
  const appends = operations.filter((one) => one.op_type === 'append' && outcomeOf(one) !== 'failed')
  const reads = operations.filter((one) => one.op_type === 'read' && outcomeOf(one) === 'ok').map(shownBy)
  // A client that gives back what it appended says nothing of offsets, whatever number that is.
  const offsetOf = (append: Operation): number | null => {
    const { input, output } = append
    return outcomeOf(append) === 'ok' && typeof output === 'number' && output !== input ? output : null
  }
  return { appends, reads, offsetOf }
}

/**
 * The claim about the offsets of one log, by its definition: every entry that an append or a read tells of is put in
 * its place, and then every way is tried to place the appends that did not say where they are.
 */
export function hasSoundOffsets(operations: readonly Operation[], gaps: 'none' | 'allowed'): boolean {
  const { appends, reads, offsetOf } = partsOf(operations)
  const places = new Map<number, Json>()
  const owned = new Set<number>()
  for (const append of appends) {
    const offset = offsetOf(append)
    if (offset === null) continue
    if (owned.has(offset)) return false
    owned.add(offset)
    places.set(offset, append.input)
  }
  for (const { records, from, isList } of reads) {
    if (new Set(records.map(([offset]) => offset)).size < records.length) return false
    for (const [offset, value] of records) {
      if (places.has(offset) && places.get(offset) !== value) return false
      places.set(offset, value)
    }
    if (isList || records.length === 0) continue
    const shown = records.map(([offset]) => offset)
    for (let offset = from; offset < Math.max(...shown); offset += 1) {
      if (shown.includes(offset)) continue
      if (owned.has(offset)) return false
      if (gaps === 'none' && shown.some((one) => one >= from && one < offset)) return false
    }
  }
  if (gaps === 'allowed' || places.size === 0) return true
  const holes: number[] = []
  for (let offset = Math.min(...places.keys()); offset < Math.max(...places.keys()); offset += 1) {
    if (!places.has(offset)) holes.push(offset)
  }
  const free = [...places].filter(([offset]) => !owned.has(offset))
  const silent = appends.filter((append) => offsetOf(append) === null)
  return canFill(silent, free, holes.length)
}

/** Whether the appends can fill the holes, when as many as can be are where their value was seen. */
function canFill(
  silent: readonly Operation[],
  seen: readonly (readonly [number, Json])[],
  holes: number,
): boolean {
  const [first, ...others] = seen
  if (first === undefined) return silent.length >= holes
  const ways = silent.filter(({ input }) => input === first[1])
  if (ways.length === 0) return canFill(silent, others, holes)
  return ways.some((way) =>
    canFill(
      silent.filter((one) => one !== way),
      others,
      holes,
    ),
  )
}
