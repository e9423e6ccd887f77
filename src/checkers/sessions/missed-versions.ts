import { countBelow, ReadsFrom, type KeyHistory } from './key-history.js'
import { initialPlace, noPlace } from './places.js'
import { sourceOf, type Staleness, type StalenessInput } from './staleness.js'
import { Tally } from './tally.js'

export interface MissedVersionsContext extends StalenessInput {
  /** How many newer acknowledged versions a read may miss. */
  readonly versions: number
  readonly staleness: Staleness
}

/**
 * Judges reads of one key by count: no read misses more than so many versions that had been acknowledged before it
 * began and are newer than what it showed.
 *
 * Without versions only a write that began after the one that was read had taken effect is surely newer. The others may
 * be: when there are few enough of them, or when the order of invocations or of answers does for all reads, nothing is
 * wrong; else it stays undecided.
 */
export function judgeMissedVersions(key: KeyHistory, context: MissedVersionsContext): void {
  if (key.hasVersions) judgeByVersion(key, context)
  else judgeByTime(key, context)
}

function judgeByVersion(key: KeyHistory, context: MissedVersionsContext): void {
  const { rank, into, versions, staleness } = context
  const highest = key.writes.reduce((most, write) => Math.max(most, rank[write]!), 0)
  const tally = new Tally(highest + 1)
  const seen = new Set<number>()
  let [known, unranked] = [0, 0]
  sweep(key, context, {
    acknowledged(write) {
      known += 1
      if (rank[write] === -1) unranked += 1
      else if (!seen.has(rank[write]!)) {
        seen.add(rank[write]!)
        tally.add(rank[write]!)
      }
    },
    read(read) {
      if (known === 0) return
      staleness.tested += 1
      const at = rank[read]!
      const isInitial = into[read] === initialPlace
      if (into[read] === noPlace || (at === -1 && !isInitial)) {
        if (known > versions) staleness.doubt(read)
        return
      }
      const missed = tally.total - (isInitial ? 0 : tally.upTo(at)) + (isInitial ? unranked : 0)
      if (missed > versions) {
        const isMissed = (write: number) => isInitial || rank[write]! > at
        tellMissed(read, { missed, isMissed, key, known, source: sourceOf(read, context), context })
      } else if (!isInitial && missed + unranked > versions) staleness.doubt(read)
    },
  })
}

function judgeByTime(key: KeyHistory, context: MissedVersionsContext): void {
  const { accesses, versions, staleness } = context
  const readsFrom = new ReadsFrom(accesses, key, context)
  const { acknowledged } = key
  const answers = acknowledged.map((write) => accesses[write]!.operation.complete_ts!)
  const begins = acknowledged.map((write) => accesses[write]!.operation.invoke_ts).sort((a, b) => a - b)
  const tally = new Tally(acknowledged.length)
  const taken = new Map<number, number>()
  const open: number[] = []
  sweep(key, context, {
    acknowledged(write) {
      // Writes that began at the same moment have places of their own.
      const place = countBelow(begins, accesses[write]!.operation.invoke_ts)
      const before = taken.get(place) ?? 0
      taken.set(place, before + 1)
      tally.add(place + before)
    },
    read(read) {
      const known = tally.total
      if (known === 0) return
      staleness.tested += 1
      const { count, latestEnd, only } = readsFrom.of(read)
      const surely = count === 0 ? 0 : known - tally.upTo(countBelow(begins, latestEnd + 1) - 1)
      if (surely > versions) {
        const isMissed = (write: number) => accesses[write]!.operation.invoke_ts > latestEnd
        const source = readsFrom.evidence(read)
        tellMissed(read, { missed: surely, isMissed, key, known, source, context })
      } else if (count !== 1) {
        if (known > versions) staleness.doubt(read)
      } else if (only !== -1) {
        const { invoke_ts: begin, complete_ts: end } = accesses[only]!.operation
        const itself = end !== null && end < accesses[read]!.operation.invoke_ts ? 1 : 0
        if (known - countBelow(answers, begin) - itself > versions) open.push(read)
      }
    },
  })
  if (open.length === 0) return
  const beginOf = (write: number) => accesses[write]!.operation.invoke_ts
  const isExplained = [beginOf, (write: number) => readsFrom.endOf(write)].some((time) =>
    missesFew(key, context, { order: key.writes.toSorted((a, b) => time(a) - time(b)), readsFrom }),
  )
  if (!isExplained) for (const read of open) staleness.doubt(read)
}

/** Whether no read misses too many versions if the writes took effect in the order. */
function missesFew(
  key: KeyHistory,
  context: MissedVersionsContext,
  { order, readsFrom }: { order: readonly number[]; readsFrom: ReadsFrom },
): boolean {
  const places = new Map(order.map((write, place) => [write, place]))
  const tally = new Tally(order.length)
  let isFew = true
  sweep(key, context, {
    acknowledged: (write) => tally.add(places.get(write)!),
    read(read) {
      const { only } = readsFrom.of(read)
      if (only !== -1 && tally.total - tally.upTo(places.get(only)!) > context.versions) isFew = false
    },
  })
  return isFew
}

/** Goes through the reads in order of invocation, and before each through the writes acknowledged before it began. */
function sweep(
  { reads, acknowledged }: KeyHistory,
  { accesses }: MissedVersionsContext,
  visit: { acknowledged(write: number): void; read(read: number): void },
): void {
  let next = 0
  for (const read of reads) {
    const begin = accesses[read]!.operation.invoke_ts
    while (next < acknowledged.length && accesses[acknowledged[next]!]!.operation.complete_ts! < begin) {
      visit.acknowledged(acknowledged[next]!)
      next += 1
    }
    visit.read(read)
  }
}

function tellMissed(
  read: number,
  {
    missed,
    isMissed,
    key,
    known,
    source,
    context: { staleness, versions },
  }: {
    missed: number
    isMissed: (write: number) => boolean
    key: KeyHistory
    known: number
    source: readonly number[]
    context: MissedVersionsContext
  },
): void {
  const shown = staleness.isFull
    ? []
    : key.acknowledged
        .slice(0, known)
        .filter(isMissed)
        .slice(-versions - 1)
  const bound = `before it began: ${missed} newer versions of which it may miss ${versions}`
  staleness.breaks(read, { missed: shown, source, bound })
}
