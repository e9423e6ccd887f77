import type { Operation } from '../../history/operation.js'
import type { ValueKey } from '../queues/value-key.js'
import type { LogOfKey } from './log-history.js'
import type { OffsetClaims } from './offset-claims.js'

/** Offsets between known ones that nothing is known to have. */
export interface Unassigned {
  /** How many there are. */
  readonly count: number
  /** How many appends there are whose offset is not known, and which may have them. */
  readonly fillers: number
  /** The first of them, and the known neighbours around it, with who showed them. */
  readonly first: {
    readonly offset: number
    readonly below: { readonly offset: number; readonly by: Operation | null }
    readonly above: { readonly offset: number; readonly by: Operation | null }
  } | null
}

/** The offsets that are missing between the lowest and the highest that is known. */
export function unassignedOf(log: LogOfKey, claims: OffsetClaims): Unassigned {
  const known = Float64Array.from(claims.offsets()).sort()
  const byOf = (offset: number) => ({ offset, by: claims.get(offset)?.by ?? null })
  let count = 0
  let first: Unassigned['first'] = null
  for (let i = 1; i < known.length; i += 1) {
    const below = known[i - 1] as number
    const above = known[i] as number
    count += above - below - 1
    if (first === null && above > below + 1) {
      first = { offset: below + 1, below: byOf(below), above: byOf(above) }
    }
  }
  return { count, fillers: count === 0 ? 0 : fillersOf(log), first }
}

/** Appends that did not say their offset, but for one for each other offset at which reads show their value. */
function fillersOf({ appends, reads }: LogOfKey): number {
  const silent = new Map<ValueKey, number>()
  const answered = new Set<number>()
  for (const { value, offset } of appends) {
    if (offset === null) silent.set(value, (silent.get(value) ?? 0) + 1)
    else answered.add(offset)
  }
  if (silent.size === 0) return 0
  const counted = new Set<number>()
  for (const { offsets, values } of reads) {
    for (const [i, value] of (values ?? []).entries()) {
      const offset = offsets[i] as number
      const left = silent.get(value)
      if (left === undefined || left === 0 || answered.has(offset) || counted.has(offset)) continue
      counted.add(offset)
      silent.set(value, left - 1)
    }
  }
  let fillers = 0
  for (const left of silent.values()) fillers += left
  return fillers
}
