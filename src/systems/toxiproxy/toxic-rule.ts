import { allOf } from '../../time/all-of.js'
import type { UndoJournal } from '../../nemesis/undo/journal.js'
import type { Link, LinkCounter, NetworkRule } from '../capabilities.js'
import type { Bypass } from '../proxy/bypass.js'
import type { ToxiproxyClient } from './client.js'
import { receivedBytes } from './metrics.js'
import { readSockets } from './sockets.js'
import { toxicName, type Toxic } from './toxic.js'
import { Traffic, type Leg, type Working } from './traffic.js'
import { removeToxics } from './undo.js'

/** How often the kernel's counts are read. */
const lookEveryMs = 100

export interface ToxicRuleOptions {
  readonly client: ToxiproxyClient
  readonly version: string
  readonly journal: UndoJournal
  readonly legs: readonly Leg[]
  readonly toxic: Toxic
  /** What can be seen of it beside the server; `resets` are counted by the server itself. */
  readonly working: Working | { readonly kind: 'resets' }
  /** Connections that are open now and go to a node directly. */
  readonly bypasses: () => Promise<readonly Bypass[]>
}

/**
 * A toxic on the streams of some proxies, under a name of its own. Journalled first. What crosses the streams is
 * counted beside the server, at the sockets of its ends: it counts nothing itself before a connection has ended.
 */
export async function toxicRule(options: ToxicRuleOptions): Promise<NetworkRule> {
  const { client, version, journal, legs, toxic } = options
  const placed = legs.map((leg) => ({ leg, place: { proxy: leg.proxy, toxic: toxicName(leg.stream) } }))
  const places = placed.map(({ place }) => place)
  const counts =
    options.working.kind === 'resets' ? await byServer(options) : await bySockets(options, options.working)
  const seen = new Set<string>()
  const entry = await journal.open({ kind: 'toxiproxy-toxics', url: client.url, toxics: places })
  let removed = false
  const remove = async (): Promise<void> => {
    if (removed) return
    await counts.end()
    await removeToxics(client.url, places)
    removed = true
    await journal.close(entry)
  }
  const absent = async (): Promise<readonly string[]> => {
    const proxies = await client.proxies()
    return placed
      .filter(({ place }) => !proxies.get(place.proxy)?.toxics.some(({ name }) => name === place.toxic))
      .map(({ leg: { proxy, stream } }) => `${proxy} (${stream})`)
  }
  try {
    await allOf(placed.map(({ leg, place }) => client.addToxic(place, leg.stream, toxic)))
    await counts.begin()
  } catch (error) {
    await remove()
    throw error
  }
  return {
    mechanism: `Toxiproxy ${version}: ${toxic.type} on ${legs.map(({ proxy, stream }) => `${proxy} (${stream})`).join(', ')}`,
    counters: () => counts.counters(),
    victims: () => counts.victims(),
    async bypasses() {
      for (const { from, to, remoteHost, remotePort } of removed ? [] : await options.bypasses()) {
        const affected = legs.some(
          ({ link }) => [link.from, link.to].includes(from) && [link.from, link.to].includes(to),
        )
        if (affected)
          seen.add(`${from} talk to ${to} directly (${remoteHost}:${remotePort}), not through Toxiproxy`)
      }
      return [...seen]
    },
    async lost() {
      const gone = removed ? [] : await absent()
      return gone.length === 0 ? null : `something else has taken the toxic off ${gone.join(', ')}`
    },
    remove,
    present: async () => (await absent()).length < legs.length,
  }
}

interface Counts extends Pick<NetworkRule, 'counters' | 'victims'> {
  /** The toxics are in place: what crosses from now on is under them. */
  begin(): Promise<void>
  end(): Promise<void>
}

/** Counts what crosses the streams by the sockets at their ends. */
async function bySockets({ legs }: ToxicRuleOptions, working: Working): Promise<Counts> {
  const traffic = new Traffic(legs, working)
  let looking: Promise<void> | null = null
  let ended = false
  const look = (): Promise<void> => {
    looking ??= (async () => {
      const sockets = await readSockets()
      if (!ended) traffic.look(sockets)
    })().finally(() => {
      looking = null
    })
    return looking
  }
  let timer: NodeJS.Timeout | undefined
  return {
    async begin() {
      await look()
      // An error of a look in passing is left to the next one that somebody waits for.
      timer = setInterval(() => void look().catch(() => undefined), lookEveryMs)
      timer.unref()
    },
    async counters() {
      if (!ended) await look()
      return traffic.counters()
    },
    victims: async () => traffic.victims(),
    async end() {
      clearInterval(timer)
      // First the counts: what was held goes out when the toxic goes, and is not under it then.
      if (!ended && timer !== undefined) await look()
      ended = true
    },
  }
}

/** Counts the bytes of connections that were reset, by what the server tells when they have ended. */
async function byServer({ client, legs }: ToxicRuleOptions): Promise<Counts> {
  const read = async () => {
    const metrics = (await client.metrics()) ?? ''
    return legs.map((leg) => receivedBytes(metrics, leg))
  }
  const before = await read()
  let last: readonly number[] = before
  let ended = false
  return {
    async counters() {
      if (!ended) last = await read()
      const links = new Map<Link, LinkCounter>()
      legs.forEach(({ link }, index) => {
        const met = (last[index] ?? 0) - (before[index] ?? 0)
        links.set(link, { link, met: (links.get(link)?.met ?? 0) + met, passed: 0 })
      })
      return [...links.values()]
    },
    victims: async () => [],
    begin: async () => {},
    async end() {
      if (!ended) last = await read()
      ended = true
    },
  }
}
