import type { Access, Value } from './accesses.js'
import type { Version } from './version.js'

/** What finding the versions of values fills in; see `Places`. */
interface Versioned {
  readonly accesses: readonly Access[]
  readonly rank: Int32Array
  readonly versionFrom: Map<number, number>
  loose: number
}

/** What is known of one value of a key. */
export interface Written {
  /** Its only write; -1 when there is none. */
  writer: number
  writers: number
  /** The only version seen with it; -1 when none was, -2 when more than one. */
  rank: number
  /** The first access that showed a version with it. */
  versionFrom: number
  /** Its writes that show no version. */
  free: number
  /** The only version seen with it that none of its writes shows; -1 when there is none, -2 when more than one. */
  unexplained: number
}

/** Enters the rank of each access that shows a version, and gathers what is known of each value. */
export function valuesOf(
  { accesses, rank }: Pick<Versioned, 'accesses' | 'rank'>,
  members: readonly number[],
  ranks: ReadonlyMap<Version, number>,
): Map<Value, Written> {
  const values = new Map<Value, Written>()
  for (const member of members) {
    const { isRead, value, version } = accesses[member]!
    const place = version === null ? -1 : ranks.get(version)!
    rank[member] = place
    if (value === undefined) continue
    const known = values.get(value)
    if (known === undefined) {
      values.set(value, {
        writer: isRead ? -1 : member,
        writers: isRead ? 0 : 1,
        rank: place,
        versionFrom: member,
        free: !isRead && place === -1 ? 1 : 0,
        unexplained: -1,
      })
      continue
    }
    if (!isRead) {
      known.writer = member
      known.writers += 1
      if (place === -1) known.free += 1
    }
    if (place === -1 || known.rank === place) continue
    if (known.rank === -1) known.versionFrom = member
    known.rank = known.rank === -1 ? place : -2
  }
  return values
}

/** Finds the versions of writes that do not show them, by the reads that show their values. */
export function explainVersions(
  placing: Versioned,
  members: readonly number[],
  values: ReadonlyMap<Value, Written>,
): void {
  const { accesses, rank, versionFrom } = placing
  const explained = new Set<number>()
  for (const member of members) if (!accesses[member]!.isRead) explained.add(rank[member]!)
  for (const member of members) {
    const { isRead, value } = accesses[member]!
    const at = rank[member]!
    const written = values.get(value ?? null)
    if (!isRead || value === undefined || at === -1 || !written || written.free === 0 || explained.has(at))
      continue
    if (written.unexplained === -1) {
      written.unexplained = at
      written.versionFrom = member
    } else if (written.unexplained !== at) written.unexplained = -2
  }
  for (const member of members) {
    const { isRead, value } = accesses[member]!
    const written = values.get(value ?? null)
    if (isRead || rank[member] !== -1 || !written || written.unexplained === -1) continue
    if (written.free === 1 && written.unexplained >= 0) {
      rank[member] = written.unexplained
      versionFrom.set(member, written.versionFrom)
      written.free = 0
    } else placing.loose = member
  }
}
