import { FaultError } from '../../errors.js'
import { linkName, type Link, type Network, type NetworkRule } from '../capabilities.js'
import type { BypassSources } from './bypass.js'
import type { DirectedLink } from './directed-link.js'
import { jitteredDelay } from './jitter.js'
import type { Effect } from './link-rule.js'
import { ProxyRule, type RuleKind } from './proxy-rule.js'
import type { Route } from './route.js'

/**
 * Network faults by the TCP proxy.
 *
 * A link carries both what its sender asks and what its sender answers. `drop` holds all of that and delivers it after
 * the heal, like lost packets that TCP sends again; new connections are accepted but reach nobody. `reject` resets the
 * connections that use the link, and refuses new ones with a reset. Several rules on one link all apply.
 */
export class ProxyNetwork implements Network {
  readonly links: readonly Link[]
  readonly #links: ReadonlyMap<string, DirectedLink>
  readonly #routes: readonly Route[]
  readonly #bypassSources: BypassSources
  readonly #rules: ProxyRule[] = []

  constructor(
    links: ReadonlyMap<string, DirectedLink>,
    routes: readonly Route[],
    bypassSources: BypassSources,
  ) {
    this.#links = links
    this.#routes = routes
    this.#bypassSources = bypassSources
    this.links = [...links.values()].map(({ link }) => link)
  }

  async block(links: readonly Link[], mode: 'drop' | 'reject'): Promise<NetworkRule> {
    return this.#put(links, mode, () => ({ kind: mode }))
  }

  async delay(links: readonly Link[], delayMs: number, jitterMs: number): Promise<NetworkRule> {
    if (![delayMs, jitterMs].every((ms) => Number.isFinite(ms) && ms >= 0)) {
      throw new FaultError('delay', `a delay of ${delayMs} ms give or take ${jitterMs} ms is not possible`, {
        hint: 'give milliseconds that are not negative',
      })
    }
    return this.#put(links, { delayMs }, ({ link }) => ({
      kind: 'delay',
      delayMs: jitteredDelay(linkName(link), delayMs, jitterMs),
    }))
  }

  /** Takes away every rule that is still in place. */
  async clear(): Promise<void> {
    await Promise.all(this.#rules.splice(0).map((rule) => rule.remove()))
  }

  #put(links: readonly Link[], kind: RuleKind, makeEffect: (link: DirectedLink) => Effect): NetworkRule {
    const chosen = [...new Set(links.map((link) => this.#find(link)))]
    if (chosen.length === 0) {
      throw new FaultError('no-links', 'a network fault was given no link to act on', {
        hint: `the links are ${[...this.#links.keys()].join(', ')}`,
      })
    }
    const rule = new ProxyRule({
      links: chosen,
      routes: this.#routes.filter(
        ({ forward, backward }) => chosen.includes(forward) || chosen.includes(backward),
      ),
      kind,
      makeEffect,
      bypassSources: this.#bypassSources,
    })
    this.#rules.push(rule)
    return rule
  }

  #find(link: Link): DirectedLink {
    const found = this.#links.get(linkName(link))
    if (found !== undefined) return found
    throw new FaultError('unknown-link', `there is no link ${linkName(link)} under the fault proxy`, {
      hint: `the links are ${[...this.#links.keys()].join(', ')}; the \`proxy\` option of processes() decides which there are`,
    })
  }
}
