import { EnvironmentError, FaultError } from '../../errors.js'
import type { UndoJournal } from '../../nemesis/undo/journal.js'
import { linkName, type BlockOptions, type Link, type Network, type NetworkRule } from '../capabilities.js'
import type { Bypass } from '../proxy/bypass.js'
import type { ToxiproxyClient } from './client.js'
import type { ProxyEnds } from './ends.js'
import type { ProxiedRoute } from './options.js'
import type { Toxic } from './toxic.js'
import { toxicRule } from './toxic-rule.js'
import type { Leg, Working } from './traffic.js'

export interface ToxiproxyNetworkOptions {
  readonly client: ToxiproxyClient
  readonly version: string
  readonly journal: UndoJournal
  readonly routes: readonly (ProxiedRoute & { readonly ends: ProxyEnds })[]
  readonly bypasses: () => Promise<readonly Bypass[]>
}

/** The server takes whole thousands of bytes a second. */
const leastBitsPerSecond = 8_000

/**
 * Network faults by the toxics of a Toxiproxy server. A link carries what its sender asks, and what it answers on the
 * connections that the other end has opened.
 *
 * `drop` loses what is sent (`timeout`); when it is taken away the server closes the connections that it has lost data
 * of. `reject` resets a connection once data comes (`reset_peer`), as the server accepts before it asks anybody.
 */
export class ToxiproxyNetwork implements Network {
  readonly links: readonly Link[]
  readonly #options: ToxiproxyNetworkOptions
  readonly #rules = new Set<NetworkRule>()

  constructor(options: ToxiproxyNetworkOptions) {
    this.#options = options
    const both = options.routes.flatMap(({ from, to }): Link[] => [
      { from, to },
      { from: to, to: from },
    ])
    this.links = [...new Map(both.map((link) => [linkName(link), link])).values()]
  }

  async block(
    links: readonly Link[],
    mode: 'drop' | 'reject',
    { level = 'packets', established = 'cut' }: BlockOptions = {},
  ): Promise<NetworkRule> {
    if (established === 'left') {
      throw new EnvironmentError(
        'connections that are told apart',
        "Toxiproxy cannot leave open connections as they are: a toxic meets all of a proxy's",
        "leave out established: 'left', or use the fault proxy of processes() or containers",
      )
    }
    if (mode === 'reject') await this.#requireMetrics()
    const legs = this.#legs(links, { callsOnly: level === 'connections' })
    return mode === 'drop'
      ? this.#put(legs, { type: 'timeout', attributes: { timeout: 0 } }, { kind: 'drop' })
      : this.#put(legs, { type: 'reset_peer', attributes: { timeout: 0 } }, { kind: 'resets' })
  }

  async delay(links: readonly Link[], delayMs: number, jitterMs: number): Promise<NetworkRule> {
    const attributes = { latency: Math.round(delayMs), jitter: Math.round(jitterMs) }
    return this.#put(this.#legs(links), { type: 'latency', attributes }, { kind: 'delay', ms: delayMs })
  }

  /** The rate is that of each connection: the server knows no other. */
  async limit(links: readonly Link[], bitsPerSecond: number): Promise<NetworkRule> {
    if (bitsPerSecond < leastBitsPerSecond) {
      throw new FaultError('rate', `Toxiproxy cannot let ${bitsPerSecond} bits a second through`, {
        hint: 'it takes thousands of bytes a second: 8kbit at least',
      })
    }
    const rate = Math.round(bitsPerSecond / leastBitsPerSecond)
    return this.#put(
      this.#legs(links),
      { type: 'bandwidth', attributes: { rate } },
      {
        kind: 'limit',
        bytesPerSecond: rate * 1_000,
      },
    )
  }

  /** Takes away every rule that is still in place. */
  async close(): Promise<void> {
    await Promise.all([...this.#rules].map((rule) => rule.remove()))
  }

  async #put(
    legs: readonly Leg[],
    toxic: Toxic,
    working: Working | { kind: 'resets' },
  ): Promise<NetworkRule> {
    const rule = await toxicRule({ ...this.#options, legs, toxic, working })
    this.#rules.add(rule)
    return {
      ...rule,
      remove: async () => {
        await rule.remove()
        this.#rules.delete(rule)
      },
    }
  }

  /** Both directions of every proxy that carries a part of the links. */
  #legs(links: readonly Link[], { callsOnly } = { callsOnly: false }): readonly Leg[] {
    const legs = links.flatMap((link) =>
      this.#options.routes.flatMap(({ from, to, proxy, ends }): Leg[] => {
        if (link.from === from && link.to === to) return [{ link, proxy, stream: 'upstream', ends }]
        const answers = link.from === to && link.to === from && !callsOnly
        return answers ? [{ link, proxy, stream: 'downstream', ends }] : []
      }),
    )
    if (legs.length > 0) return legs
    throw new FaultError('unknown-link', `no proxy carries ${links.map(linkName).join(', ')}`, {
      hint: `the links are ${this.links.map(linkName).join(', ')}; \`nodes\` and \`peers\` of toxiproxy() name their proxies`,
    })
  }

  /** A connection that is reset is gone before anybody could look at its sockets. */
  async #requireMetrics(): Promise<void> {
    if ((await this.#options.client.metrics()) !== null) return
    throw new EnvironmentError(
      'metrics of Toxiproxy',
      "without them nothing tells whether a connection met mode: 'reject'",
      "start it with toxiproxy-server -proxy-metrics (2.5 or later), or use mode: 'drop'",
    )
  }
}
