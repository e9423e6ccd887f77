import type { Link } from '../capabilities.js'
import type { Flow } from './flow.js'
import type { LinkRule } from './link-rule.js'
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
  #dropping = false
  #rejecting = false

  constructor(link: Link) {
    this.link = link
  }

  /** True when nothing may cross for now. */
  get dropping(): boolean {
    return this.#dropping
  }

  get rejecting(): boolean {
    return this.#rejecting
  }

  get clear(): boolean {
    return this.#rules.size === 0
  }

  /** Counts a chunk or a connection attempt with every rule, and draws its delay in milliseconds. */
  meet(): number {
    let delayMs = 0
    for (const rule of this.#rules) {
      rule.met += 1
      if (rule.effect.kind === 'delay') delayMs += rule.effect.delayMs()
    }
    return delayMs
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
    this.#refresh()
    for (const flow of [...this.#flows]) flow.ruled(rule)
  }

  remove(rule: LinkRule): void {
    if (!this.#rules.delete(rule)) return
    this.#refresh()
    for (const flow of [...this.#flows]) flow.pump()
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const callback of waiting) callback()
  }

  #refresh(): void {
    const kinds = [...this.#rules].map(({ effect }) => effect.kind)
    this.#dropping = kinds.includes('drop')
    this.#rejecting = kinds.includes('reject')
  }
}
