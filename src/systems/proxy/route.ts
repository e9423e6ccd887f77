import type { DirectedLink } from './directed-link.js'
import { RecentTimes } from './recent-times.js'
import type { ProxiedConnection } from './proxied-connection.js'

/** The connections that one end opens to another, on whatever port. */
export class Route {
  readonly from: string
  readonly to: string
  /** Carries the requests. */
  readonly forward: DirectedLink
  /** Carries the answers. */
  readonly backward: DirectedLink
  readonly connections = new Set<ProxiedConnection>()
  /** From the first byte of a request to the first byte of its answer. */
  readonly roundTrips = new RecentTimes()
  /** Connections that `from` has opened so far. */
  opened = 0
  /** Connections that one end has closed while a rule kept them from passing on everything, by that end. */
  readonly givenUp = new Map<string, number>()

  constructor(forward: DirectedLink, backward: DirectedLink) {
    this.from = forward.link.from
    this.to = forward.link.to
    this.forward = forward
    this.backward = backward
  }

  noteGivenUp(node: string): void {
    this.givenUp.set(node, (this.givenUp.get(node) ?? 0) + 1)
  }

  /** Connections whose oldest request came in at or after `since` and has been without an answer for `ms`. */
  unanswered(since: number, ms: number): number {
    const now = performance.now()
    return [...this.connections].filter(
      ({ waitingSince }) => waitingSince !== null && waitingSince >= since && now - waitingSince >= ms,
    ).length
  }
}
