import type { Link, LinkCounter, NetworkRule, VictimReading } from '../capabilities.js'
import { findBypasses, type BypassSources } from './bypass.js'
import type { DirectedLink } from './directed-link.js'
import type { Belonging, Effect, LinkRule } from './link-rule.js'
import type { Route } from './route.js'
import { blockVictims, delayVictims, startOfVictims } from './victims.js'

/** What was asked for; `slowMs` is what a delay, or waiting for a full link, adds to the way of data. */
export type RuleKind = 'drop' | 'reject' | { readonly slowMs: number }

interface RuledLink {
  readonly on: DirectedLink
  readonly rule: LinkRule
}

/** How much has crossed a link since the rule came in, until it was taken away. */
interface Crossing {
  readonly link: Link
  now(): number
  readonly before: number
  after: number | null
}

const bypassEveryMs = 250

/** A rule of the fault proxy on one or several links. It ends with this process, so it needs no entry in the journal. */
export class ProxyRule implements NetworkRule {
  readonly mechanism = 'TCP proxy'
  readonly #links: readonly RuledLink[]
  readonly #crossings: readonly Crossing[]
  readonly #victims: () => readonly VictimReading[]
  readonly #bypassSources: BypassSources
  readonly #bypasses = new Set<string>()
  readonly #watch: NodeJS.Timeout

  /** Puts an effect of its own on each link; `routes` are all that lead over one of them. */
  constructor(options: {
    readonly links: readonly DirectedLink[]
    readonly routes: readonly Route[]
    readonly kind: RuleKind
    readonly makeEffect: (link: DirectedLink) => Effect
    readonly covers: (traffic: Belonging) => boolean
    readonly bypassSources: BypassSources
  }) {
    const start = startOfVictims(options.links, options.routes)
    const { covers } = options
    this.#links = options.links.map((on) => ({
      on,
      rule: { effect: options.makeEffect(on), covers, met: 0, metBytes: 0 },
    }))
    const opposite = options.routes
      .flatMap(({ forward, backward }) => [forward, backward])
      .filter((link) => !options.links.includes(link))
    this.#crossings = [
      ...options.links.map((on) => crossing(on.link, () => on.traffic.untouched)),
      ...[...new Set(opposite)].map((on) => crossing(on.link, () => on.traffic.chunks)),
    ]
    this.#victims = () =>
      typeof options.kind === 'object'
        ? delayVictims(start, options.kind.slowMs)
        : blockVictims(start, { links: options.links, mode: options.kind })
    this.#bypassSources = options.bypassSources
    for (const { on, rule } of this.#links) on.add(rule)
    // An error of a look in passing is left to `bypasses()`, which looks again and reports it.
    this.#watch = setInterval(() => void this.#findBypasses().catch(() => undefined), bypassEveryMs)
    this.#watch.unref()
  }

  /**
   * Units are chunks of data and connection attempts. `passed` counts chunks that crossed without being held or
   * delayed by this or another rule: none under `drop` and `reject`. The opposite links come last, when they are not
   * under the rule themselves; they show what still gets through the other way.
   */
  async counters(): Promise<readonly LinkCounter[]> {
    return this.#crossings.map(({ link, before, after, now }) => {
      const rule = this.#links.find(({ on }) => on.link === link)?.rule
      const counter = { link, met: rule?.met ?? 0, passed: (after ?? now()) - before }
      return rule?.effect.kind === 'limit' ? { ...counter, metBytes: rule.metBytes } : counter
    })
  }

  async victims(): Promise<readonly VictimReading[]> {
    return this.#victims()
  }

  /** Everything that has been seen going round the proxy between the ends of these links since the rule came in. */
  async bypasses(): Promise<readonly string[]> {
    await this.#findBypasses()
    return [...this.#bypasses]
  }

  async remove(): Promise<void> {
    clearInterval(this.#watch)
    // First the counts: what is held goes out at once, and is no longer under the rule then.
    for (const crossed of this.#crossings) crossed.after ??= crossed.now()
    for (const { on, rule } of this.#links) on.remove(rule)
  }

  async present(): Promise<boolean> {
    return this.#links.some(({ on, rule }) => on.has(rule))
  }

  async #findBypasses(): Promise<void> {
    for (const { from, to, remoteHost, remotePort } of await findBypasses(this.#bypassSources)) {
      const affected = this.#links.some(
        ({ on: { link } }) =>
          (link.from === from && link.to === to) || (link.from === to && link.to === from),
      )
      if (!affected || !(await this.present())) continue
      const verb = from === 'clients' ? 'talk' : 'talks'
      this.#bypasses.add(
        `${from} ${verb} to ${to} directly (${remoteHost}:${remotePort}), not through the proxy`,
      )
    }
  }
}

function crossing(link: Link, now: () => number): Crossing {
  return { link, now, before: now(), after: null }
}
