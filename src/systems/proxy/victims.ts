import type { VictimReading } from '../capabilities.js'
import type { DirectedLink } from './directed-link.js'
import type { Route } from './route.js'

/** What has not arrived after this long is taken to be missed; on one machine everything usual is much faster. */
const missedAfterMs = 100

/** The links of a rule and the routes over them, as they stood when it came in. */
export interface VictimsStart {
  readonly since: number
  readonly routes: readonly {
    readonly route: Route
    readonly opened: number
    readonly givenUp: ReadonlyMap<string, number>
    readonly roundTrips: number
    readonly roundTripMs: number | null
  }[]
  readonly transits: readonly { readonly on: DirectedLink; readonly count: number }[]
}

/** Takes down where the readings start. */
export function startOfVictims(links: readonly DirectedLink[], routes: readonly Route[]): VictimsStart {
  return {
    since: performance.now(),
    routes: routes.map((route) => ({
      route,
      opened: route.opened,
      givenUp: new Map(route.givenUp),
      roundTrips: route.roundTrips.count,
      roundTripMs: route.roundTrips.median(),
    })),
    transits: links.map((on) => ({ on, count: on.transits.count })),
  }
}

/**
 * How the nodes take a block on `links`, by what happens on their own connections: they close them, open new ones, wait
 * for an answer, or do not receive what was sent to them. All readings start at zero. `mode` is that of the block.
 */
export function blockVictims(
  { since, routes }: VictimsStart,
  { links, mode }: { readonly links: readonly DirectedLink[]; readonly mode: 'drop' | 'reject' },
): readonly VictimReading[] {
  const missing = links.map((on) => ({
    node: on.link.to,
    signal: `chunks from ${on.link.from} not received ${missedAfterMs} ms after they were sent`,
    value: on.overdue(missedAfterMs),
  }))
  const closing = routes.flatMap(({ route, opened, givenUp }) => [
    ...[route.from, route.to].map((node) => ({
      node,
      signal: `connections given up between ${route.from} and ${route.to}, opened by ${route.from}`,
      value: (route.givenUp.get(node) ?? 0) - (givenUp.get(node) ?? 0),
    })),
    {
      node: route.from,
      signal: `connections opened to ${route.to} in vain`,
      // Under `drop` a connection the other way can be opened, and requests on it arrive.
      value: mode === 'reject' || links.includes(route.forward) ? route.opened - opened : 0,
    },
    {
      node: route.from,
      signal: `connections to ${route.to} without an answer for ${missedAfterMs} ms`,
      value: route.unanswered(since, missedAfterMs),
    },
  ])
  return [...missing, ...closing]
}

/**
 * What the nodes get to feel of a delay, in whole milliseconds, zero until something has come through: how long data is
 * under way to its receiver, and what the delay adds to round trips (medians of the last ones). A round trip goes from
 * the first byte of a request to the first byte of its answer. Routes on which they took longer than the delay before
 * are left out: there the answers are not to what was sent last, or vary by more than the delay.
 */
export function delayVictims({ routes, transits }: VictimsStart, delayMs: number): readonly VictimReading[] {
  const arriving = transits.map(({ on, count }) => ({
    node: on.link.to,
    signal: `ms from being sent by ${on.link.from} to arriving`,
    value: Math.round(on.transits.median(count) ?? 0),
  }))
  const answered = routes.flatMap(({ route, roundTrips, roundTripMs }) => {
    if (roundTripMs === null || roundTripMs > delayMs) return []
    const now = route.roundTrips.median(roundTrips)
    return {
      node: route.from,
      signal: `added round trip to ${route.to} in ms`,
      value: now === null ? 0 : Math.max(0, Math.round(now - roundTripMs)),
    }
  })
  return [...arriving, ...answered]
}
