import type { Anomaly } from '../checker.js'
import { shown, tell } from '../words.js'
import type { Access } from './accesses.js'
import { operationsThatShow } from './shown-by.js'
import { initialPlace, noPlace, type Places } from './places.js'
import { nodeKind } from './write-order.js'

/** The four guarantees (Terry et al., 1994). */
export type Guarantee = 'read-your-writes' | 'monotonic-reads' | 'monotonic-writes' | 'writes-follow-reads'

export interface Obligations {
  readonly sessions: number
  /** Pairs of operations of a session of which a guarantee says something. */
  readonly count: number
  /** What is broken by two operations alone; the first of them, and how many there are. */
  readonly broken: readonly Anomaly[]
  readonly brokenCount: number
  /** An access without a place of which a guarantee would have said something, -1 when there is none. */
  readonly doubtful: number
  readonly doubts: number
}

/** Anomalies that are put in words. */
const told = 50

/**
 * Goes through each session and enters in the order of writes what the guarantees ask of it.
 *
 * In the form of Viotti and Vukolić (2016): a read shows the last of the writes that it must see, so each of them comes
 * before the one that it shows or is that one.
 * - read-your-writes: a read sees the acknowledged writes of its session before it.
 * - monotonic-reads: a read sees what the reads of its session before it showed.
 * - monotonic-writes: an acknowledged write comes before the later writes of its session.
 * - writes-follow-reads: what a read showed comes before the later writes of its session.
 *
 * A write of unknown outcome may come at any later time: what is before it in its session stays before it, and nothing
 * has to wait for it. A process is a session; an operation that begins while another one of the process is in flight
 * begins a new session.
 */
export function enterObligations(
  accesses: readonly Access[],
  places: Places,
  guarantees: ReadonlySet<Guarantee>,
): Obligations {
  const sweep = new Sweep(accesses, places, guarantees)
  for (let index = 0; index < accesses.length; index += 1) sweep.take(index)
  return sweep
}

interface Session {
  end: number
  /** The last acknowledged write, -1 before the first. */
  lastWrite: number
  /** The node that gathers what was read, -1 before the first read. */
  gathered: number
  /** Whether a write waits for `gathered` already, so that later reads need another node. */
  isGatheredUsed: boolean
  /** An access of which it is not known what it showed, -1 when there is none. */
  unplacedRead: number
  readonly keys: Map<Access['operation']['key'], OfKey>
}

interface OfKey {
  gathered: number
  isGatheredUsed: boolean
  /** Accesses: the last acknowledged write, and the one of the highest known version. */
  lastWrite: number
  highestWrite: number
  lastRead: number
  highestRead: number
  /** The node after which must come what the next read shows. */
  readUpTo: number
  unplacedRead: number
  /** Reads that show one of several writes, it is not known which, by the rank of their version. */
  readonly ofSeveral: Map<number, number>
}

class Sweep implements Obligations {
  sessions = 0
  count = 0
  brokenCount = 0
  doubtful = -1
  doubts = 0
  readonly broken: Anomaly[] = []
  readonly #accesses: readonly Access[]
  readonly #places: Places
  readonly #ryw: boolean
  readonly #mr: boolean
  readonly #mw: boolean
  readonly #wfr: boolean
  readonly #open = new Map<string | number, Session>()

  constructor(accesses: readonly Access[], places: Places, guarantees: ReadonlySet<Guarantee>) {
    this.#accesses = accesses
    this.#places = places
    this.#ryw = guarantees.has('read-your-writes')
    this.#mr = guarantees.has('monotonic-reads')
    this.#mw = guarantees.has('monotonic-writes')
    this.#wfr = guarantees.has('writes-follow-reads')
  }

  take(index: number): void {
    const { operation, isRead } = this.#accesses[index]!
    const session = this.#sessionAt(index)
    let ofKey = session.keys.get(operation.key)
    if (ofKey === undefined) session.keys.set(operation.key, (ofKey = newKey()))
    if (isRead) this.#read(index, session, ofKey)
    else this.#write(index, session, ofKey)
  }

  #sessionAt(index: number): Session {
    const { process_id: process, invoke_ts: begin, complete_ts: end } = this.#accesses[index]!.operation
    let session = this.#open.get(process)
    if (session === undefined || begin < session.end) {
      session = {
        end: session?.end ?? 0,
        lastWrite: -1,
        gathered: -1,
        isGatheredUsed: false,
        unplacedRead: -1,
        keys: new Map(),
      }
      this.#open.set(process, session)
      this.sessions += 1
    }
    session.end = Math.max(session.end, end ?? begin)
    return session
  }

  #read(index: number, session: Session, ofKey: OfKey): void {
    const { into, order, rank } = this.#places
    const seesOwn = this.#ryw && ofKey.lastWrite !== -1
    const seesRead = this.#mr && (ofKey.lastRead !== -1 || ofKey.unplacedRead !== -1)
    if (seesOwn) this.count += 1
    if (seesRead) this.count += 1
    if (into[index] === noPlace) {
      if (seesOwn || seesRead) this.#doubt(index)
      ofKey.unplacedRead = index
      session.unplacedRead = index
      return
    }
    if (seesRead) this.#doubt(ofKey.unplacedRead)
    const at = rank[index]!
    if (into[index] === initialPlace) {
      if (seesOwn) this.#breaks('read-your-writes', ofKey.lastWrite, index)
      if (seesRead && ofKey.lastRead !== -1) this.#breaks('monotonic-reads', ofKey.lastRead, index)
      return
    }
    if (seesOwn) {
      if (isBelow(at, rank, ofKey.highestWrite)) this.#breaks('read-your-writes', ofKey.highestWrite, index)
      else {
        ofKey.isGatheredUsed = true
        order.before(ofKey.gathered, into[index]!, ofKey.lastWrite, index)
      }
    }
    if (seesRead && ofKey.lastRead !== -1) {
      if (isBelow(at, rank, ofKey.highestRead)) this.#breaks('monotonic-reads', ofKey.highestRead, index)
      else order.before(ofKey.readUpTo, into[index]!, ofKey.lastRead, index)
    }
    ofKey.readUpTo = this.#upTo(index, ofKey)
    ofKey.lastRead = index
    ofKey.highestRead = higher(rank, ofKey.highestRead, index)
    if (!this.#wfr) return
    if (into[index] !== this.#places.outOf[index]) ofKey.ofSeveral.set(at, index)
    this.#gatherRead(index, session)
  }

  /** The node after which must come what later reads of the key show. */
  #upTo(index: number, { lastRead, readUpTo }: OfKey): number {
    const { into, outOf, order } = this.#places
    if (into[index] === outOf[index] || lastRead === -1) return outOf[index]!
    // Of a read that shows one of several writes it is not known which, so that the reads before it count as well.
    const both = order.add(nodeKind.relay)
    order.before(readUpTo, both, lastRead)
    order.before(outOf[index]!, both, index)
    return both
  }

  #gatherRead(index: number, session: Session): void {
    const { outOf, order } = this.#places
    if (session.gathered === -1 || session.isGatheredUsed) {
      const before = session.gathered
      session.gathered = order.add(nodeKind.strict)
      session.isGatheredUsed = false
      if (before !== -1) order.before(before, session.gathered)
    }
    order.before(outOf[index]!, session.gathered, index)
  }

  #write(index: number, session: Session, ofKey: OfKey): void {
    const { into, order, rank, outOf } = this.#places
    const follows = this.#mw && session.lastWrite !== -1
    const followsReads = this.#wfr && (session.gathered !== -1 || session.unplacedRead !== -1)
    const at = rank[index]!
    if (follows) {
      this.count += 1
      if (isBelow(at, rank, ofKey.highestWrite)) this.#breaks('monotonic-writes', ofKey.highestWrite, index)
      else order.before(outOf[session.lastWrite]!, into[index]!, session.lastWrite, index)
    }
    if (followsReads) {
      this.count += 1
      this.#doubt(session.unplacedRead)
      this.#doubt(this.#earlyRead(index, ofKey))
      if (isBelow(at, rank, ofKey.highestRead)) this.#breaks('writes-follow-reads', ofKey.highestRead, index)
      else if (session.gathered !== -1) {
        session.isGatheredUsed = true
        order.before(session.gathered, into[index]!, -1, index)
      }
    }
    if (!this.#accesses[index]!.isAnswered) return
    session.lastWrite = index
    ofKey.lastWrite = index
    ofKey.highestWrite = higher(rank, ofKey.highestWrite, index)
    if (this.#ryw) this.#gatherWrite(index, ofKey)
  }

  /**
   * An earlier read of the session that may have shown this very write, before it was made: all the writes that it may
   * have shown could be later ones, of which none may come after itself. -1 for none.
   */
  #earlyRead(index: number, { ofSeveral }: OfKey): number {
    if (ofSeveral.size === 0) return -1
    const at = this.#places.rank[index]!
    if (at !== -1) return ofSeveral.get(at) ?? -1
    const [any = -1] = ofSeveral.values()
    return any
  }

  #gatherWrite(index: number, ofKey: OfKey): void {
    const { outOf, order } = this.#places
    if (ofKey.gathered === -1 || ofKey.isGatheredUsed) {
      const before = ofKey.gathered
      ofKey.gathered = order.add(nodeKind.relay)
      ofKey.isGatheredUsed = false
      if (before !== -1) order.before(before, ofKey.gathered)
    }
    order.before(outOf[index]!, ofKey.gathered, index)
  }

  #breaks(guarantee: Guarantee, earlier: number, later: number): void {
    this.brokenCount += 1
    if (this.broken.length === told) return
    const [before, after] = [this.#accesses[earlier]!, this.#accesses[later]!]
    this.broken.push({
      type: guarantee,
      explanation: `${described(after)}, ${because[guarantee]} ${described(before)}, earlier in the same session`,
      operations: operationsThatShow([earlier, later], this.#accesses, this.#places),
    })
  }

  /** Nothing is doubtful about an access that there is not (-1). */
  #doubt(index: number): void {
    if (index === -1) return
    if (this.doubtful === -1) this.doubtful = index
    this.doubts += 1
  }
}

const because: Readonly<Record<Guarantee, string>> = {
  'read-your-writes': 'is older than',
  'monotonic-reads': 'is older than',
  'monotonic-writes': 'was put before',
  'writes-follow-reads': 'was put before what was read by',
}

/** An access with what is known of it, such as `read() on "x" by process 3 (operation 5), which showed 7`. */
function described({ operation, isRead, version }: Access): string {
  const { output } = operation
  if (isRead) return `${tell(operation)}, which showed ${shown(output)}`
  return version === null ? tell(operation) : `${tell(operation)}, which became version ${shown(version)}`
}

function newKey(): OfKey {
  return {
    gathered: -1,
    isGatheredUsed: false,
    lastWrite: -1,
    highestWrite: -1,
    lastRead: -1,
    highestRead: -1,
    readUpTo: -1,
    unplacedRead: -1,
    ofSeveral: new Map(),
  }
}

/** Whether the rank is known to be below that of the access. */
function isBelow(at: number, rank: Int32Array, access: number): boolean {
  return access !== -1 && at !== -1 && at < rank[access]!
}

function higher(rank: Int32Array, current: number, index: number): number {
  if (rank[index] === -1) return current
  return current === -1 || rank[index]! > rank[current]! ? index : current
}
