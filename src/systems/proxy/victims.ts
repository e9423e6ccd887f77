import type { VictimReading } from '../capabilities.js'
import type { Route } from './route.js'

/** A request is without an answer after this long; faster systems than that are the rule on one machine. */
const unansweredAfterMs = 100

/** The routes over the links of a rule, as they stood when it came in. */
export interface VictimsStart {
  readonly since: number
  readonly routes: readonly {
    readonly route: Route
    readonly opened: number
    readonly givenUp: ReadonlyMap<string, number>
    readonly roundTrips: number
    readonly roundTripMs: number | null
  }[]
}

/** Takes down where the readings start. */
export function startOfVictims(routes: readonly Route[]): VictimsStart {
  return {
    since: performance.now(),
    routes: routes.map((route) => ({
      route,
      opened: route.opened,
      givenUp: new Map(route.givenUp),
      roundTrips: route.roundTrips.count,
      roundTripMs: route.roundTrips.median(),
    })),
  }
}

/**
 * How the nodes take a blocked link, by what they do on their own connections: close them, open new ones, or wait.
 * All readings start at zero. `hinders` says whether a connection opened on the route now cannot come to anything.
 */
export function blockVictims(
  { since, routes }: VictimsStart,
  hinders: (route: Route) => boolean,
): readonly VictimReading[] {
  return routes.flatMap(({ route, opened, givenUp }) => [
    ...[route.from, route.to].map((node) => ({
      node,
      signal: `connections given up between ${route.from} and ${route.to}, opened by ${route.from}`,
      value: (route.givenUp.get(node) ?? 0) - (givenUp.get(node) ?? 0),
    })),
    {
      node: route.from,
      signal: `connections opened to ${route.to} in vain`,
      value: hinders(route) ? route.opened - opened : 0,
    },
    {
      node: route.from,
      signal: `connections to ${route.to} without an answer for ${unansweredAfterMs} ms`,
      value: route.unanswered(since, unansweredAfterMs),
    },
  ])
}

/**
 * What a delay adds to the round trips that the nodes see: whole milliseconds of the median from the first byte of a
 * request to the first byte of its answer, over that of the requests before. Zero until an answer has come.
 */
export function delayVictims({ routes }: VictimsStart): readonly VictimReading[] {
  return routes.map(({ route, roundTrips, roundTripMs }) => {
    const now = route.roundTrips.median(roundTrips)
    return {
      node: route.from,
      signal: `added round trip to ${route.to} in ms`,
      value: now === null ? 0 : Math.max(0, Math.round(now - (roundTripMs ?? 0))),
    }
  })
}
