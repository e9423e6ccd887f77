import { initialPlace, noPlace } from './places.js'
import { countBelow, ReadsFrom, type KeyHistory } from './key-history.js'
import { sourceOf, type Staleness, type StalenessInput } from './staleness.js'
import { nodeKind, type WriteOrder } from './write-order.js'

/** What the judges of one key share; `order` takes what only an order of all writes can contradict. */
export interface LateReadsContext extends StalenessInput {
  readonly withinNs: number
  readonly staleness: Staleness
  readonly order: WriteOrder
  /** The write of each node of `order`. */
  readonly nodes: Map<number, number>
}

/**
 * Judges reads of one key by time: no read misses a write that was acknowledged `withinNs` before it began, or earlier.
 *
 * With versions, their order says what is missed. Without, a write is older than one that began after it must have
 * taken effect, and overlapping writes may be in any order: the first read that is wrong in each of them is told, and
 * what remains is entered in the order of writes, which no cycle may contradict.
 */
export function judgeLateReads(key: KeyHistory, context: LateReadsContext): void {
  if (key.hasVersions) judgeByVersion(key, context)
  else judgeByTime(key, context)
}

function judgeByVersion({ reads, acknowledged }: KeyHistory, context: LateReadsContext): void {
  const { accesses, rank, into, staleness, withinNs } = context
  const answers = acknowledged.map((write) => accesses[write]!.operation.complete_ts!)
  const newest = runningBest(acknowledged, (write) => rank[write]!)
  let unranked = 0
  const unrankedUpTo = acknowledged.map((write) => (unranked += rank[write] === -1 ? 1 : 0))
  for (const read of reads) {
    const known = countBelow(answers, firstMissable(accesses[read]!.operation.invoke_ts, withinNs))
    if (known === 0) continue
    staleness.tested += 1
    const best = newest[known - 1]!
    const at = rank[read]!
    const isInitial = into[read] === initialPlace
    const isMissing = isInitial || (at !== -1 && at < rank[best]!)
    if (isMissing)
      breaks(
        read,
        { missed: isInitial ? acknowledged[known - 1]! : best, source: sourceOf(read, context) },
        context,
      )
    else if (at === -1 || into[read] === noPlace || unrankedUpTo[known - 1]! > 0) staleness.doubt(read)
  }
}

function judgeByTime(key: KeyHistory, context: LateReadsContext): void {
  const { accesses, staleness, withinNs, order } = context
  const readsFrom = new ReadsFrom(accesses, key, context)
  const { acknowledged, reads } = key
  const answers = acknowledged.map((write) => accesses[write]!.operation.complete_ts!)
  const latest = runningBest(acknowledged, (write) => accesses[write]!.operation.invoke_ts)
  const nodes = enterTime(key, readsFrom, context)
  const acknowledgedUpTo = chain(acknowledged, nodes, order)
  for (const read of reads) {
    const known = countBelow(answers, firstMissable(accesses[read]!.operation.invoke_ts, withinNs))
    if (known === 0) continue
    staleness.tested += 1
    const { count, latestEnd, only } = readsFrom.of(read)
    const best = latest[known - 1]!
    if (count === 0) staleness.doubt(read)
    else if (latestEnd < accesses[best]!.operation.invoke_ts)
      breaks(read, { missed: best, source: readsFrom.evidence(read) }, context)
    else if (count > 1) staleness.doubt(read)
    else order.before(acknowledgedUpTo[known - 1]!, nodes.get(only)!, -1, read)
  }
}

/** Enters which writes are older than others because they had taken effect before those began. */
function enterTime(
  { writes }: KeyHistory,
  readsFrom: ReadsFrom,
  { accesses, order, nodes: writeOf }: LateReadsContext,
): ReadonlyMap<number, number> {
  const nodes = new Map<number, number>()
  for (const write of writes) {
    const node = order.add(nodeKind.write)
    nodes.set(write, node)
    writeOf.set(node, write)
  }
  const ended = writes
    .filter((write) => readsFrom.endOf(write) !== Infinity)
    .sort((a, b) => readsFrom.endOf(a) - readsFrom.endOf(b))
  const ends = ended.map((write) => readsFrom.endOf(write))
  const endedUpTo = chain(ended, nodes, order)
  for (const write of writes) {
    const before = countBelow(ends, accesses[write]!.operation.invoke_ts)
    if (before > 0) order.before(endedUpTo[before - 1]!, nodes.get(write)!, -1, write)
  }
  return nodes
}

/** For each of the writes a node after it and all before it in the list. */
function chain(
  writes: readonly number[],
  nodes: ReadonlyMap<number, number>,
  order: WriteOrder,
): readonly number[] {
  let last = -1
  return writes.map((write) => {
    const node = order.add(nodeKind.relay)
    order.before(nodes.get(write)!, node, write)
    if (last !== -1) order.before(last, node)
    last = node
    return node
  })
}

/** For each place in the list the one with the highest measure up to there. */
function runningBest(list: readonly number[], measure: (item: number) => number): readonly number[] {
  let best = -1
  return list.map((item) => {
    if (best === -1 || measure(item) > measure(best)) best = item
    return best
  })
}

/** Writes acknowledged before this moment must not be missed. Timestamps are whole nanoseconds. */
function firstMissable(begin: number, withinNs: number): number {
  return withinNs === 0 ? begin : begin - withinNs + 1
}

function breaks(
  read: number,
  { missed, source }: { missed: number; source: readonly number[] },
  { accesses, staleness }: LateReadsContext,
): void {
  const begin = accesses[read]!.operation.invoke_ts
  const milliseconds = (begin - accesses[missed]!.operation.complete_ts!) / 1e6
  staleness.breaks(read, { missed: [missed], source, bound: `${milliseconds} ms before it began` })
}
