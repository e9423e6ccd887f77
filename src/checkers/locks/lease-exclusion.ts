import { z } from 'zod'
import type { Operation } from '../../history/operation.js'
import { milliseconds, type Duration } from '../../time/duration.js'
import { DeclarationError } from '../../errors.js'
import { AnomalyList, allOf } from '../anomaly-list.js'
import { checkedOptions } from '../checked-options.js'
import type { Anomaly, Checker } from '../checker.js'
import { defineChecker, type Judgement } from '../define.js'
import { tell } from '../words.js'
import { beliefsOf, type Belief } from './beliefs.js'

const name = 'lease-exclusion'
const example = "leaseExclusion({ ttl: '10s', clockUncertainty: '200ms' })"
const nsPerMs = 1_000_000

export interface LeaseExclusionOptions {
  /** How long a lease is good for after each grant. */
  readonly ttl: Duration
  /** How far the clocks of holder and granter may differ over one TTL, drift and delays of timers included. */
  readonly clockUncertainty: Duration
}

const duration = z.custom<Duration>((value) => typeof value === 'number' || typeof value === 'string')
const schema = z.strictObject({ ttl: duration, clockUncertainty: duration })

/**
 * No two processes surely believe at one moment that they hold the same lease, per key.
 *
 * A careful holder counts its time from the call of its last acquire or renew that was answered, because the grant may have
 * been given right then. So it surely believes from the answer of a grant until its call + ttl - clockUncertainty, or
 * until it calls release, or is told by an answer of false that it holds nothing. The granter must keep others out until
 * the grant + ttl by its own clock, which by the real one is not before the call + ttl - clockUncertainty. Hence sure beliefs
 * of two processes never overlap if both sides do right, and an overlap is a fault of one of them however the delays
 * were. Grants, renews and releases of unknown outcome never make a sure belief longer. O(n log n).
 * Throws DeclarationError when the options are wrong.
 */
export function leaseExclusion(options: LeaseExclusionOptions): Checker {
  const given = checkedOptions(options, { checker: name, factory: 'leaseExclusion', schema, example })
  const ttlMs = milliseconds(given.ttl, 'leaseExclusion(): ttl')
  const uncertaintyMs = milliseconds(given.clockUncertainty, 'leaseExclusion(): clockUncertainty')
  if (uncertaintyMs >= ttlMs) {
    throw new DeclarationError(
      name,
      'leaseExclusion(): clockUncertainty must be less than ttl, else nobody is ever sure to hold',
      { hint: example },
    )
  }
  return defineChecker({
    name,
    pattern: 2,
    options,
    needs: ['process_id', 'invoke_ts', 'complete_ts', 'op_type'],
    scope: [
      `overlaps shorter than the clock uncertainty of ${uncertaintyMs} ms and the time that a grant took to answer`,
      'a holder that goes on working after its lease has run out: see fencing-tokens',
      'leases that end too late, or are never granted',
    ],
    judge: ({ operations, columns }) =>
      columns?.hasTimes === false
        ? {
            consumed: 0,
            anomalies: [],
            undecided: 'the history tells the order of events and not their times, which a TTL is about',
            evidence: {},
          }
        : judge(operations, { sureNs: (ttlMs - uncertaintyMs) * nsPerMs }),
  })
}

function judge(operations: readonly Operation[], { sureNs }: { sureNs: number }): Judgement {
  const overlaps = new AnomalyList()
  let believed = 0
  let longestNs = 0
  for (const beliefs of beliefsOf(operations, { sureNs }).values()) {
    believed += beliefs.length
    // The belief that lasts longest so far, and the one that does so among those of other processes.
    let last: Belief | null = null
    let lastOfOthers: Belief | null = null
    for (const belief of beliefs) {
      const { process_id: process } = belief.grant
      const other: Belief | null = last?.grant.process_id === process ? lastOfOthers : last
      if (other !== null && other.until > belief.from) {
        longestNs = Math.max(longestNs, Math.min(other.until, belief.until) - belief.from)
        overlaps.add(() => anomalyOf(other, belief))
      }
      if (last === null || belief.until > last.until) {
        if (last !== null && last.grant.process_id !== process) lastOfOthers = last
        last = belief
      } else if (
        last.grant.process_id !== process &&
        (lastOfOthers === null || belief.until > lastOfOthers.until)
      ) {
        lastOfOthers = belief
      }
    }
  }
  return {
    consumed: operations.reduce((count, { op_type: type }) => count + (isOfLease(type) ? 1 : 0), 0),
    ...allOf([overlaps]),
    evidence: { beliefs: believed, overlaps: overlaps.count, longestOverlapMs: longestNs / nsPerMs },
  }
}

function isOfLease(type: string): boolean {
  return type === 'acquire' || type === 'renew' || type === 'release'
}

function anomalyOf(first: Belief, second: Belief): Anomaly {
  const overlapMs = (Math.min(first.until, second.until) - second.from) / nsPerMs
  const involved = new Set(
    [first.grant, second.grant, first.endedBy, second.endedBy].filter((one) => one !== null),
  )
  return {
    type: 'overlapping-leases',
    explanation: `${tell(second.grant)} was granted while process ${first.grant.process_id} was sure to hold by ${tell(first.grant)}, for ${overlapMs} ms at least.`,
    operations: [...involved].toSorted((a, b) => a.invoke_ts - b.invoke_ts).map(({ op_id: id }) => id),
  }
}
