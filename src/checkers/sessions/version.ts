/** What the system calls a state of a key: a version, revision, offset or timestamp of its own. */
export type Version = number | string

/**
 * The place of each version among those of its key, counted from 0; equal versions have the same. Numbers and strings
 * of digits are compared as numbers of any size; as soon as one is neither, all are compared as text.
 */
export function rankVersions(versions: Iterable<Version>): { ranks: Map<Version, number>; count: number } {
  const distinct = [...new Set(versions)]
  if (distinct.every((version) => typeof version === 'number')) {
    const sorted = Float64Array.from(distinct).sort()
    return { ranks: new Map(Array.from(sorted, (version, rank) => [version, rank])), count: sorted.length }
  }
  const numeric = distinct.every((version) => typeof version === 'number' || /^-?\d+$/.test(version))
  const compared = distinct.map((version) => ({ version, as: numeric ? asNumber(version) : String(version) }))
  compared.sort((a, b) => (a.as < b.as ? -1 : a.as > b.as ? 1 : 0))
  const ranks = new Map<Version, number>()
  let rank = -1
  let before: number | bigint | string | undefined
  for (const { version, as } of compared) {
    // A bigint and a number of the same value are equal only to the loose comparison.
    if (before === undefined || before < as) rank += 1
    before = as
    ranks.set(version, rank)
  }
  return { ranks, count: rank + 1 }
}

/** Whether one version is before another, compared as `rankVersions` does. */
export function isBefore(a: Version, b: Version): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b
  const { ranks } = rankVersions([a, b])
  return ranks.get(a)! < ranks.get(b)!
}

function asNumber(version: Version): number | bigint {
  if (typeof version === 'number') return version
  return version.length <= 15 ? Number(version) : BigInt(version)
}
