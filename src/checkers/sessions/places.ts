import type { Operation } from '../../history/operation.js'
import type { Access, Accesses, Value } from './accesses.js'
import { rankVersions, type Version } from './version.js'
import { nodeKind, WriteOrder } from './write-order.js'
import { explainVersions, valuesOf, type Written } from './written-values.js'

/** Where an access is that shows the state before any write. */
export const initialPlace = -1
/** Where an access is of which it is not known which write it shows. */
export const noPlace = -2

/** Why a read has no place: nobody wrote that value, or more than one write did. */
export const unplaced = { phantom: 1, ambiguous: 2 } as const

/** Where each access of a history is among the writes: see `placesOf`. All by the index of the access. */
export interface Places {
  /** The writes and seen versions, with the order of the versions that are known. */
  readonly order: WriteOrder
  /** The node before which all must come that comes before the access, or is it. */
  readonly into: Int32Array
  /** The node after which all must come that comes after the access, or is it. */
  readonly outOf: Int32Array
  /** The place of its version among the versions of its key; -1 when it has none that is known. */
  readonly rank: Int32Array
  /** One of `unplaced`, or 0. */
  readonly why: Uint8Array
  /** The access that is told for a node: its write, or else the first that shows the version. */
  readonly shownBy: ReadonlyMap<number, number>
  /** For an access that shows no version itself, the one that tells the version of its value. */
  readonly versionFrom: ReadonlyMap<number, number>
  /** A write of which it is not known which of several versions it has, or that is one of several; -1 for none. */
  readonly loose: number
  readonly keys: number
  /** Distinct versions in the history, over all keys. */
  readonly versions: number
}

/**
 * Places each access among the writes of its key.
 *
 * A version says where an access is; a value that was written once says which write it shows, and with that its
 * version if any answer tells it. Versions of a key are in the order of the system. A write of which no version is
 * known may be anywhere. Two writes that share a version are in no order.
 */
export function placesOf({ accesses }: Pick<Accesses, 'accesses'>, init: Value): Places {
  const count = accesses.length
  const placing: Placing = {
    accesses,
    init,
    order: new WriteOrder(),
    into: new Int32Array(count).fill(noPlace),
    outOf: new Int32Array(count).fill(noPlace),
    rank: new Int32Array(count).fill(-1),
    why: new Uint8Array(count),
    shownBy: new Map(),
    versionFrom: new Map(),
    loose: -1,
  }
  const byKey = new Map<Operation['key'], number[]>()
  for (const [index, { operation }] of accesses.entries()) {
    const ofKey = byKey.get(operation.key)
    if (ofKey === undefined) byKey.set(operation.key, [index])
    else ofKey.push(index)
  }
  let versions = 0
  for (const members of byKey.values()) versions += placeKey(placing, members)
  return { ...placing, keys: byKey.size, versions }
}

interface Placing extends Omit<Places, 'keys' | 'versions' | 'shownBy' | 'versionFrom' | 'loose'> {
  readonly accesses: readonly Access[]
  readonly init: Value
  readonly shownBy: Map<number, number>
  readonly versionFrom: Map<number, number>
  loose: number
}

/** Returns how many versions the key has. */
function placeKey(placing: Placing, members: readonly number[]): number {
  const { accesses } = placing
  const seen: Version[] = []
  for (const member of members) {
    const { version } = accesses[member]!
    if (version !== null) seen.push(version)
  }
  const { ranks, count } = rankVersions(seen)
  const values = valuesOf(placing, members, ranks)
  const nodes = nodesOfVersions(placing, members, { count, values })
  for (const member of members) placeOne(placing, member, { values, nodes })
  return count
}

/** The nodes of a key's versions, by rank. */
interface VersionNodes {
  readonly entry: Int32Array
  readonly exit: Int32Array
  /** The only write that has the version; -1 when none is known to have it, -2 when several have. */
  readonly writerAt: Int32Array
  /** Of versions that are shared: the nodes of values whose write is not known. */
  readonly unwritten: Map<number, Map<Value, number>>
}

function nodesOfVersions(
  placing: Placing,
  members: readonly number[],
  { count, values }: { count: number; values: ReadonlyMap<Value, Written> },
): VersionNodes {
  const { accesses, order, rank, shownBy } = placing
  const writers = new Int32Array(count)
  const writerAt = new Int32Array(count).fill(-1)
  const shows = new Int32Array(count).fill(-1)
  const valueAt: (Value | undefined)[] = Array.from({ length: count })
  // Which of the writes that may share a version is shown by a read without a value is not known.
  const hasSeveral = new Uint8Array(count)
  explainVersions(placing, members, values)
  for (const member of members) {
    const { isRead, value } = accesses[member]!
    const at = rank[member]!
    if (at === -1) continue
    if (!isRead) {
      writers[at]! += 1
      writerAt[at] = writers[at] === 1 ? member : -2
    }
    const written = value === undefined ? undefined : values.get(value)
    const couldBeFree = isRead && written !== undefined && written.writers > 1 && written.free > 0
    if (value === undefined || couldBeFree) hasSeveral[at] = 1
    if (value !== undefined) {
      if (valueAt[at] !== undefined && valueAt[at] !== value) hasSeveral[at] = 1
      valueAt[at] = value
    }
    if (shows[at] === -1 || (!isRead && accesses[shows[at]!]!.isRead)) shows[at] = member
  }
  const entry = new Int32Array(count)
  const exit = new Int32Array(count)
  for (let at = 0; at < count; at += 1) {
    const isShared = writers[at]! > 1 || hasSeveral[at] === 1
    entry[at] = order.add(isShared ? nodeKind.strict : nodeKind.write)
    exit[at] = isShared ? order.add(nodeKind.strict) : entry[at]!
    // Also when no write is known to be between them.
    if (isShared) order.before(entry[at]!, exit[at]!)
    shownBy.set(entry[at]!, shows[at]!)
    shownBy.set(exit[at]!, shows[at]!)
    if (at > 0) order.before(exit[at - 1]!, entry[at]!)
  }
  return { entry, exit, writerAt, unwritten: new Map() }
}

function placeOne(
  placing: Placing,
  member: number,
  { values, nodes }: { values: ReadonlyMap<Value, Written>; nodes: VersionNodes },
): void {
  const { accesses, rank, why, init, into, versionFrom } = placing
  const { isRead, value } = accesses[member]!
  const at = rank[member]!
  if (!isRead) {
    if (into[member] === noPlace) placeWrite(placing, member, nodes)
    return
  }
  if (at !== -1) {
    placeAtVersion(placing, member, { written: values.get(value ?? null), nodes })
    return
  }
  const written = values.get(value!)!
  const candidates = written.writers + (value === init ? 1 : 0)
  if (candidates > 1 || written.rank === -2) why[member] = unplaced.ambiguous
  else if (written.rank >= 0) {
    rank[member] = written.rank
    versionFrom.set(member, written.versionFrom)
    placeAtVersion(placing, member, { written, nodes })
  } else if (candidates === 0) why[member] = unplaced.phantom
  else if (written.writers === 0) settle(placing, member, initialPlace, initialPlace)
  else {
    const { writer } = written
    if (into[writer] === noPlace) placeWrite(placing, writer, nodes)
    settle(placing, member, into[writer]!, placing.outOf[writer]!)
  }
}

/** A read of a version: of the write itself where that is plain, else of any of those that share the version. */
function placeAtVersion(
  placing: Placing,
  member: number,
  { written, nodes }: { written: Written | undefined; nodes: VersionNodes },
): void {
  const { accesses, order, rank, into, outOf, shownBy } = placing
  const at = rank[member]!
  const { value } = accesses[member]!
  const isShared = nodes.entry[at] !== nodes.exit[at]
  const sole = nodes.writerAt[at]!
  const couldBeSeveral = written !== undefined && written.writers > 1 && (written.free > 0 || sole === -2)
  if (!isShared || value === undefined || written === undefined || couldBeSeveral) {
    settle(placing, member, nodes.exit[at]!, nodes.entry[at]!)
    return
  }
  const writer = written.writers === 1 && rank[written.writer] === at ? written.writer : sole
  if (writer >= 0 && accesses[writer]!.value === value) {
    if (into[writer] === noPlace) placeWrite(placing, writer, nodes)
    settle(placing, member, into[writer]!, outOf[writer]!)
    return
  }
  const ofVersion = nodes.unwritten.get(at) ?? new Map<Value, number>()
  nodes.unwritten.set(at, ofVersion)
  let node = ofVersion.get(value)
  if (node === undefined) {
    node = order.add(nodeKind.write)
    ofVersion.set(value, node)
    shownBy.set(node, member)
    order.before(nodes.entry[at]!, node)
    order.before(node, nodes.exit[at]!)
  }
  settle(placing, member, node, node)
}

function placeWrite(
  { order, rank, into, outOf, shownBy }: Placing,
  member: number,
  { entry, exit }: VersionNodes,
): void {
  const at = rank[member]!
  let node = at === -1 ? noPlace : entry[at]!
  // A write of its own beside the versions, or one of several of the same version.
  if (node === noPlace || entry[at] !== exit[at]) {
    node = order.add(nodeKind.write)
    shownBy.set(node, member)
    if (at !== -1) {
      order.before(entry[at]!, node)
      order.before(node, exit[at]!)
    }
  }
  into[member] = node
  outOf[member] = node
}

function settle({ into, outOf }: Placing, member: number, intoNode: number, outOfNode: number): void {
  into[member] = intoNode
  outOf[member] = outOfNode
}
