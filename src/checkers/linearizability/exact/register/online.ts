/** The first violation of a running history. The operations contradict one another with the rest left out. */
export interface OnlineViolation {
  /** `value-not-there`: nobody has written the value read, or it was overwritten long before. */
  readonly type: 'value-not-there' | 'stale-value'
  /** The events taken when it was found, this one counted. */
  readonly events: number
  /** Ids, in order of invocation. */
  readonly operations: readonly (string | number)[]
}

type Value = string | number

/** An operation that was invoked. */
interface Seen {
  readonly id: string | number
  readonly invoked: number
}

/** The write of a value with its completed reads. */
interface Block {
  readonly value: Value
  /** Null for the initial value. */
  readonly write: Seen | null
  /** The operation that returned first, and the completed one, or the write, that was invoked last. */
  first: Seen | null
  firstReturn: number
  last: Seen | null
  lastInvoke: number
}

/** With fewer blocks it is not worth while to look for some to forget. */
const fewBlocks = 8

/**
 * Judges one register with distinct values while the run goes on, event by event, and stops at the first violation.
 *
 * It is the algorithm of `zones` in order of time. A block is over when another one has come after it for certain and
 * this was so before any open read began: a read that still returns its value is a violation whatever else happens, so it
 * is forgotten, except for the latest invocation among the forgotten, which later blocks may contradict. The
 * memory is that of the open operations, the blocks that may still be read, and unknown writes that nobody read. A return
 * takes time in the number of these blocks. A value may be written again when its earlier block is over.
 */
export class OnlineRegister {
  readonly #blocks = new Map<Value, Block>()
  /** Blocks of which nothing has returned: they contradict nothing. */
  readonly #unseen = new Map<Value, Block>()
  readonly #openReads = new Map<string | number, Seen>()
  readonly #openWrites = new Map<string | number, { seen: Seen; block: Block }>()
  /** Of the blocks that are over the one with the latest invocation. */
  #over: Block | null = null
  #events = 0
  /** Blocks that are over are looked for when so many are kept: twice as many as the last time it was done. */
  #manyBlocks = fewBlocks
  #violation: OnlineViolation | null = null
  #unable: string | null = null

  /** `initial` is the register's value before the first operation. */
  constructor(initial: Value) {
    this.#blocks.set(initial, {
      value: initial,
      write: null,
      first: null,
      firstReturn: -1,
      last: null,
      lastInvoke: -1,
    })
  }

  /** The first violation; later events change nothing. */
  get violation(): OnlineViolation | null {
    return this.#violation
  }

  /** Why it can no longer tell: a value was written again while its earlier write may still be read. Null while it can. */
  get unable(): string | null {
    return this.#unable
  }

  /** The blocks kept, for those who watch its memory. */
  get kept(): number {
    return this.#blocks.size + this.#unseen.size
  }

  invokeRead(id: string | number): void {
    if (this.#stopped) return
    this.#openReads.set(id, { id, invoked: this.#events })
    this.#events += 1
  }

  invokeWrite(id: string | number, value: Value): void {
    if (this.#stopped) return
    if (this.#blocks.has(value) || this.#unseen.has(value)) {
      this.#unable = `${JSON.stringify(value)} is written again while its earlier write may still be read`
      return
    }
    const seen: Seen = { id, invoked: this.#events }
    const block: Block = {
      value,
      write: seen,
      first: null,
      firstReturn: Infinity,
      last: seen,
      lastInvoke: this.#events,
    }
    this.#unseen.set(value, block)
    this.#openWrites.set(id, { seen, block })
    this.#events += 1
  }

  /** The read returned the value. Throws RangeError when no such read is open. */
  returnRead(id: string | number, value: Value): void {
    if (this.#stopped) return
    const seen = this.#openReads.get(id)
    if (seen === undefined) throw new RangeError(`no open read has the id ${JSON.stringify(id)}`)
    this.#openReads.delete(id)
    const block = this.#blocks.get(value) ?? this.#unseen.get(value)
    if (block === undefined) {
      this.#events += 1
      this.#report('value-not-there', [seen, ...this.#otherValueBefore(seen)])
      return
    }
    this.#note(block, seen)
    const other = this.#contradicting(block)
    if (other !== null) this.#report('stale-value', operationsOf(block, other))
    this.#tidy()
  }

  /** The write returned. Throws RangeError when no such write is open. */
  returnWrite(id: string | number): void {
    if (this.#stopped) return
    const open = this.#openWrites.get(id)
    if (open === undefined) throw new RangeError(`no open write has the id ${JSON.stringify(id)}`)
    this.#openWrites.delete(id)
    const { seen, block } = open
    const isOver = this.#blocks.get(block.value) !== block && this.#unseen.get(block.value) !== block
    if (isOver) this.#events += 1
    else this.#note(block, seen)
    this.#tidy()
  }

  /** The outcome will not be known: a read says nothing then, and a write may take effect at any time. */
  forget(id: string | number): void {
    this.#openReads.delete(id)
    this.#openWrites.delete(id)
  }

  get #stopped(): boolean {
    return this.#violation !== null || this.#unable !== null
  }

  /** Something of the block returned. */
  #note(block: Block, seen: Seen): void {
    if (block.firstReturn === Infinity) {
      block.first = seen
      block.firstReturn = this.#events
      this.#unseen.delete(block.value)
      this.#blocks.set(block.value, block)
    }
    if (seen.invoked > block.lastInvoke) {
      block.last = seen
      block.lastInvoke = seen.invoked
    }
    this.#events += 1
  }

  /**
   * What shows that another value was there before the read began: always something when the value of the read was
   * forgotten, as one that took its place is kept.
   */
  #otherValueBefore(read: Seen): Seen[] {
    for (const block of this.#blocks.values()) {
      if (block.write !== null && block.firstReturn < read.invoked) {
        return [block.write, block.first].filter((seen) => seen !== null)
      }
    }
    return []
  }

  #tidy(): void {
    if (this.#blocks.size < this.#manyBlocks) return
    this.#dropBlocksThatAreOver()
    this.#manyBlocks = Math.max(fewBlocks, 2 * this.#blocks.size)
  }

  /**
   * A block that must come both before and after this one, of which a read has just returned. Only then can there be a
   * new one: a write that returns is invoked no later for it, and nothing was invoked after its return. The read was open
   * when any block was forgotten, or invoked later, so what is left of these blocks came first in any case.
   */
  #contradicting(block: Block): Block | null {
    if (this.#over !== null && this.#over.lastInvoke > block.firstReturn) return this.#over
    for (const other of this.#blocks.values()) {
      if (other.lastInvoke <= block.firstReturn || other.firstReturn >= block.lastInvoke) continue
      if (other !== block) return other
    }
    return null
  }

  #dropBlocksThatAreOver(): void {
    let oldest = this.#events
    // Maps keep the order of insertion, so the first open read is the oldest.
    for (const { invoked } of this.#openReads.values()) {
      oldest = invoked
      break
    }
    let latest = this.#over
    let second: Block | null = null
    for (const block of this.#blocks.values()) {
      if (block.firstReturn >= oldest) continue
      if (latest === null || block.lastInvoke > latest.lastInvoke) {
        second = latest
        latest = block
      } else if (second === null || block.lastInvoke > second.lastInvoke) {
        second = block
      }
    }
    for (const block of this.#blocks.values()) {
      if (block.firstReturn >= oldest) continue
      const follower = block === latest ? second : latest
      if (follower === null || follower.lastInvoke <= block.firstReturn) continue
      this.#blocks.delete(block.value)
      if (this.#over === null || block.lastInvoke > this.#over.lastInvoke) this.#over = block
    }
  }

  #report(type: OnlineViolation['type'], operations: readonly Seen[]): void {
    const inOrder = [...new Set(operations)].sort((a, b) => a.invoked - b.invoked)
    this.#violation = { type, events: this.#events, operations: inOrder.map(({ id }) => id) }
  }
}

/** What shows that each of two blocks must precede the other. */
function operationsOf(...blocks: readonly Block[]): Seen[] {
  const all = blocks.flatMap(({ write, first, last }) => [write, first, last])
  return all.filter((seen) => seen !== null)
}
