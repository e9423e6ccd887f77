import type { Link } from '../capabilities.js'
import type { Flow } from './flow.js'
import type { Belonging, Limit, LinkRule } from './link-rule.js'
import { RecentTimes } from './recent-times.js'

/** What has crossed a link so far. */
export interface Traffic {
  chunks: number
  bytes: number
  /** Chunks that were neither held nor delayed by a rule. */
  untouched: number
}

/**
 * Everything that goes from one end to the other: the requests on connections which `from` opened,
 * and the answers on those which `to` opened.
 */
export class DirectedLink {
  readonly link: Link
  readonly traffic: Traffic = { chunks: 0, bytes: 0, untouched: 0 }
  /** From the sending of a chunk that met a rule to its arrival. */
  readonly transits = new RecentTimes()
  readonly #rules = new Set<LinkRule>()
  readonly #flows = new Set<Flow>()
  readonly #waiting = new Set<() => void>()

  constructor(link: Link) {
    this.link = link
  }

  /** True when there is no rule on the link. */
  get clear(): boolean {
    return this.#rules.size === 0
  }

  /** True when such traffic may not cross for now. */
  dropping(traffic: Belonging): boolean {
    return this.#has('drop', traffic)
  }

  rejecting(traffic: Belonging): boolean {
    return this.#has('reject', traffic)
  }

  /** True when no rule is about such traffic. */
  clearFor(traffic: Belonging): boolean {
    for (const rule of this.#rules) if (rule.covers(traffic)) return false
    return true
  }

  /** How a chunk is to be cut up before it goes on, in bytes; null when it may go as it is. */
  pieceBytes(traffic: Belonging): number | null {
    return this.#leastOfLimits(traffic, (limit) => limit.pieceBytes)
  }

  /** How much may wait in one direction of a connection; null when no rule says. */
  heldBytesMax(traffic: Belonging): number | null {
    return this.#leastOfLimits(traffic, (limit) => limit.heldBytesMax)
  }

  /**
   * Counts a chunk or a connection attempt (no bytes) with every rule that does something to it. Gives how long they
   * hold it in milliseconds, and whether any did something.
   */
  meet(traffic: Belonging, bytes: number): { readonly delayMs: number; readonly touched: boolean } {
    let delayMs = 0
    let touched = false
    for (const rule of this.#rules) {
      if (!rule.covers(traffic)) continue
      const { effect } = rule
      const held =
        effect.kind === 'delay' ? effect.delayMs() : effect.kind === 'limit' ? effect.waitMs(bytes) : 0
      // Within its rate a limit does nothing.
      if (effect.kind === 'limit' && held === 0) continue
      touched = true
      rule.met += 1
      rule.metBytes += bytes
      // Two limits are two links one after the other: the slower one decides.
      delayMs = effect.kind === 'limit' ? Math.max(delayMs, held) : delayMs + held
    }
    return { delayMs, touched }
  }

  /** Counts a chunk that has crossed. `touchedAt` is when it was sent, if it has met a rule. */
  crossed(chunk: { readonly bytes: number; readonly touchedAt: number | null }): void {
    this.traffic.chunks += 1
    this.traffic.bytes += chunk.bytes
    if (chunk.touchedAt === null) this.traffic.untouched += 1
    else this.transits.add(performance.now() - chunk.touchedAt)
  }

  attach(flow: Flow): void {
    this.#flows.add(flow)
  }

  detach(flow: Flow): void {
    this.#flows.delete(flow)
  }

  /** Calls back once when the rules next become fewer. Returns how to call that off. */
  onRelief(callback: () => void): () => void {
    this.#waiting.add(callback)
    return () => this.#waiting.delete(callback)
  }

  /** Chunks that were sent `ms` ago or earlier and have not been received. */
  overdue(ms: number): number {
    return [...this.#flows].reduce((sum, flow) => sum + flow.overdue(ms), 0)
  }

  has(rule: LinkRule): boolean {
    return this.#rules.has(rule)
  }

  /** Chunks that still wait here meet the new rule as well. */
  add(rule: LinkRule): void {
    this.#rules.add(rule)
    for (const flow of [...this.#flows]) flow.ruled(rule)
  }

  remove(rule: LinkRule): void {
    if (!this.#rules.delete(rule)) return
    for (const flow of [...this.#flows]) flow.pump()
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const callback of waiting) callback()
  }

  #has(kind: 'drop' | 'reject', traffic: Belonging): boolean {
    for (const rule of this.#rules) if (rule.effect.kind === kind && rule.covers(traffic)) return true
    return false
  }

  #leastOfLimits(traffic: Belonging, read: (limit: Limit) => number): number | null {
    let least: number | null = null
    for (const rule of this.#rules) {
      if (rule.effect.kind !== 'limit' || !rule.covers(traffic)) continue
      least = Math.min(least ?? Infinity, read(rule.effect))
    }
    return least
  }
}
