import type { Link, LinkCounter, VictimReading } from '../capabilities.js'
import { callersOf, onwardsOf, since, Tally, type ProxyEnds, type SideCounts } from './ends.js'
import type { MeasuredSocket } from './sockets.js'
import type { Stream } from './toxic.js'

/** One stream of a proxy: a part of what goes over a link. */
export interface Leg {
  readonly link: Link
  readonly proxy: string
  readonly stream: Stream
  readonly ends: ProxyEnds
}

/** What the toxic of a rule does, as far as that can be seen beside the server. */
export type Working =
  | { readonly kind: 'drop' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'limit'; readonly bytesPerSecond: number }

interface LegCounts {
  readonly leg: Leg
  readonly callers: Tally
  readonly onwards: Tally
  before: { readonly callers: SideCounts; readonly onwards: SideCounts } | null
  /** Looks at which more waited than goes through at once, and the most that did. */
  heldBack: number
  heldBackBytes: number
  /** Callers that were seen waiting for an answer, by their addresses. */
  readonly waited: Set<string>
}

/** A part of the delay that a wait must have to count as one. */
const shareOfDelay = 0.8
/** Of what a link lets through, so much may be on its way at any time. */
const underWayMs = 20
/** Answers on one machine usually take much less. */
const unansweredMs = 100

/**
 * What crosses the streams of proxies, by what the kernel counts of the sockets at their ends: those of the callers, and
 * the server's own towards the nodes where it is on this machine as well.
 */
export class Traffic {
  readonly #legs: readonly LegCounts[]
  readonly #working: Working

  constructor(legs: readonly Leg[], working: Working) {
    this.#working = working
    this.#legs = legs.map((leg) => ({
      leg,
      callers: new Tally(),
      onwards: new Tally(),
      before: null,
      heldBack: 0,
      heldBackBytes: 0,
      waited: new Set(),
    }))
  }

  /** Takes the sockets as they are now in; everything is counted from the first look on. */
  look(sockets: readonly MeasuredSocket[]): void {
    for (const counts of this.#legs) {
      const callers = callersOf(counts.leg.ends, sockets)
      counts.callers.add(callers)
      counts.onwards.add(onwardsOf(counts.leg.ends, sockets))
      if (counts.before === null) {
        counts.before = { callers: counts.callers.total(), onwards: counts.onwards.total() }
        continue
      }
      this.#noteHeldBack(counts)
      const waitMs = this.#waitMs()
      for (const { local, remote, sentAgoMs, receivedAgoMs } of callers) {
        // What it sent last it has no answer to.
        if (receivedAgoMs > sentAgoMs && sentAgoMs >= waitMs) counts.waited.add(`${local} ${remote}`)
      }
    }
  }

  /** Segments with data since the first look. */
  counters(): readonly LinkCounter[] {
    const links = new Map<Link, LinkCounter>()
    for (const counts of this.#legs) {
      const { link } = counts.leg
      const { met = 0, passed = 0, metBytes = 0 } = links.get(link) ?? {}
      const own = this.#countOf(counts)
      links.set(link, {
        link,
        met: met + own.met,
        passed: passed + own.passed,
        ...(this.#working.kind === 'limit' ? { metBytes: metBytes + counts.heldBackBytes } : {}),
      })
    }
    return [...links.values()]
  }

  victims(): readonly VictimReading[] {
    const ms = Math.round(this.#waitMs())
    return this.#legs.flatMap((counts) => {
      const { proxy, stream, link } = counts.leg
      const caller = stream === 'upstream' ? link.from : link.to
      const waiting: VictimReading = {
        node: caller,
        signal: `connections through ${proxy} that waited ${ms} ms for an answer (${stream})`,
        value: counts.waited.size,
      }
      if (this.#working.kind !== 'drop') return [waiting]
      const { entered, left } = across(counts)
      return [
        waiting,
        {
          node: link.to,
          signal: `segments sent by ${link.from} through ${proxy} that did not arrive`,
          value: Math.max(0, entered - left),
        },
      ]
    })
  }

  #waitMs(): number {
    return this.#working.kind === 'delay' ? this.#working.ms * shareOfDelay : unansweredMs
  }

  #noteHeldBack(counts: LegCounts): void {
    if (this.#working.kind !== 'limit') return
    const { enteredBytes, leftBytes } = across(counts)
    // Without a view of the other end nothing tells what waits from what has gone through.
    if (leftBytes === 0) return
    const waiting = enteredBytes - leftBytes
    if (waiting < (this.#working.bytesPerSecond * underWayMs) / 1_000) return
    counts.heldBack += 1
    counts.heldBackBytes = Math.max(counts.heldBackBytes, waiting)
  }

  #countOf(counts: LegCounts): { readonly met: number; readonly passed: number } {
    const { entered, left } = across(counts)
    switch (this.#working.kind) {
      case 'drop':
        return { met: Math.max(0, entered - left), passed: left }
      case 'delay':
        // Where the server's own sockets are out of sight, what comes back has crossed the toxic.
        return { met: Math.max(entered, left), passed: 0 }
      case 'limit':
        return { met: counts.heldBack, passed: counts.heldBack === 0 ? left : 0 }
    }
  }
}

/** What went into a stream and what came out of it since the first look; nothing at an end that is out of sight. */
function across({ leg, callers, onwards, before }: LegCounts) {
  const caller = since(callers.total(), before?.callers ?? callers.total())
  const onward = since(onwards.total(), before?.onwards ?? onwards.total())
  return leg.stream === 'upstream'
    ? {
        entered: caller.sent,
        left: onward.sent,
        enteredBytes: caller.sentBytes,
        leftBytes: onward.sentBytes,
      }
    : {
        entered: onward.received,
        left: caller.received,
        enteredBytes: onward.receivedBytes,
        leftBytes: caller.receivedBytes,
      }
}
