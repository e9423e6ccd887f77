import type { Socket } from 'node:net'
import type { DirectedLink } from './directed-link.js'
import type { Belonging, LinkRule } from './link-rule.js'

/** What a flow tells the connection that it is one half of. */
export interface FlowEvents {
  /** A chunk has come in. */
  onChunk(): void
  /** A chunk has been handed on. */
  onDelivered(): void
  /** The sender has closed its half in good order, or broken the connection. */
  onSourceClosed(): void
  /** A rule refuses what has come in: both ends are to be reset. */
  onRejected(): void
}

type Item =
  | {
      readonly kind: 'chunk'
      readonly chunk: Buffer
      /** When it came in. */
      readonly at: number
      readonly dueAt: number
      touched: boolean
    }
  | { readonly kind: 'end' | 'reset'; readonly dueAt: number }

/** Bytes that one direction of one connection holds before it stops reading from the sender. */
export const heldBytesMax = 1_048_576

/**
 * One direction of a proxied connection: reads from `source`, obeys the rules of its link, writes to the sink.
 *
 * Order within a connection is kept, ends and resets included, whatever the delays. While the link drops, chunks wait
 * here and go out after the heal, as a sender's kernel would send them again after a real packet loss.
 */
export class Flow {
  readonly #source: Socket
  readonly #link: DirectedLink
  readonly #traffic: Belonging
  readonly #events: FlowEvents
  readonly #queue: Item[] = []
  #sink: Socket | null = null
  #sinkFull = false
  #sinkGone = false
  #sourceClosed = false
  #queuedBytes = 0
  #lastDueAt = 0
  #timer: NodeJS.Timeout | null = null

  constructor(source: Socket, link: DirectedLink, traffic: Belonging, events: FlowEvents) {
    this.#source = source
    this.#link = link
    this.#traffic = traffic
    this.#events = events
    link.attach(this)
    source.on('data', (chunk: Buffer) => this.#readAll(chunk))
    source.on('end', () => this.#closed('end'))
    source.on('error', () => this.#closed('reset'))
  }

  /** From now on chunks go to this socket. */
  connect(sink: Socket): void {
    this.#sink = sink
    sink.on('drain', () => {
      this.#sinkFull = false
      this.pump()
    })
    this.pump()
  }

  /** The receiver is gone: what still comes in has nowhere to go, and is read so that the sender's close is seen. */
  discard(): void {
    this.#sinkGone = true
    this.#queue.length = 0
    this.#queuedBytes = 0
    this.#source.resume()
  }

  /** A rule has been put on the link: what waits here meets it. */
  ruled(rule: LinkRule): void {
    // What waits here already has its time to go; a limit is about what comes from now on.
    if (!rule.covers(this.#traffic) || rule.effect.kind === 'limit') return
    for (const item of this.#queue) {
      if (item.kind !== 'chunk') continue
      item.touched = true
      rule.met += 1
      rule.metBytes += item.chunk.length
    }
    if (rule.effect.kind === 'reject') this.#events.onRejected()
  }

  /** Chunks that came in `ms` ago or earlier and have not gone out. */
  overdue(ms: number): number {
    const latest = performance.now() - ms
    return this.#queue.filter((item) => item.kind === 'chunk' && item.at <= latest).length
  }

  /** Hands on everything that may go now. */
  pump(): void {
    this.#handOn()
    const most = this.#link.heldBytesMax(this.#traffic) ?? heldBytesMax
    if (this.#sinkFull || this.#queuedBytes >= most) this.#source.pause()
    else if (this.#queuedBytes <= most / 2) this.#source.resume()
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#queue.length = 0
    this.#link.detach(this)
  }

  #readAll(chunk: Buffer): void {
    const most = this.#link.pieceBytes(this.#traffic) ?? chunk.length
    for (let at = 0; at < chunk.length; at += most) this.#read(chunk.subarray(at, at + most))
  }

  #read(chunk: Buffer): void {
    if (this.#sinkGone) return
    this.#events.onChunk()
    if (
      this.#link.clearFor(this.#traffic) &&
      this.#queue.length === 0 &&
      this.#sink !== null &&
      !this.#sinkFull
    ) {
      this.#deliver(this.#sink, chunk, null)
      if (this.#sinkFull) this.#source.pause()
      return
    }
    const { delayMs, touched } = this.#link.meet(this.#traffic, chunk.length)
    const at = performance.now()
    const dueAt = this.#due(delayMs)
    if (this.#link.rejecting(this.#traffic)) {
      this.#events.onRejected()
      return
    }
    this.#queue.push({ kind: 'chunk', chunk, at, dueAt, touched })
    this.#queuedBytes += chunk.length
    this.pump()
  }

  #handOn(): void {
    for (let item = this.#queue[0]; item !== undefined; item = this.#queue[0]) {
      if (this.#sink === null || this.#sinkFull || this.#link.dropping(this.#traffic)) return
      const waitMs = item.dueAt - performance.now()
      if (waitMs > 0) {
        this.#timer ??= setTimeout(() => {
          this.#timer = null
          this.pump()
        }, Math.ceil(waitMs))
        return
      }
      this.#queue.shift()
      if (item.kind === 'chunk') this.#deliver(this.#sink, item.chunk, item.touched ? item.at : null)
      else if (item.kind === 'end') this.#sink.end()
      else this.#sink.resetAndDestroy()
    }
  }

  #deliver(sink: Socket, chunk: Buffer, touchedAt: number | null): void {
    if (this.#queuedBytes > 0) this.#queuedBytes = Math.max(0, this.#queuedBytes - chunk.length)
    this.#link.crossed({ bytes: chunk.length, touchedAt })
    this.#events.onDelivered()
    this.#sinkFull = !sink.write(chunk)
  }

  #closed(kind: 'end' | 'reset'): void {
    if (this.#sourceClosed && kind === 'end') return
    this.#sourceClosed = true
    this.#events.onSourceClosed()
    if (this.#sinkGone) return
    this.#queue.push({ kind, dueAt: this.#due(0) })
    this.pump()
  }

  /** No chunk overtakes the one before it. */
  #due(delayMs: number): number {
    this.#lastDueAt = Math.max(this.#lastDueAt, performance.now() + delayMs)
    return this.#lastDueAt
  }
}
