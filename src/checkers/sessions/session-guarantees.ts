import type { Checker, CheckInput } from '../checker.js'
import { defineChecker, type Judgement } from '../define.js'
import { judgeSessions } from './judge-sessions.js'
import { judgeStreams } from './judge-streams.js'
import type { Guarantee } from './obligations.js'
import { readSessionOptions, type SessionOptions } from './options.js'

const scope = [
  'staleness: a session that sees old values for ever breaks no session guarantee',
  'causality across keys: that a session which sees one write must also see what its writer had seen of other keys',
  'a client library that reconnects by itself: its sessions look like one',
  'values that nobody wrote, of which it says unknown',
]

const needs = ['invoke_ts', 'complete_ts', 'op_type', 'process_id', 'timeout_marker'] as const

/**
 * All four session guarantees together: one order of all writes that gives every session its own writes, reads that do
 * not go back, its writes in its order, and its writes after what it had read (Terry et al., 1994, in the form of Viotti
 * and Vukolić, 2016). A process id is a session: an unknown outcome or a reconnect begins another. Versions come from
 * outputs `{ value, version }`; without them distinct written values tell which write was read, and the order is what
 * the guarantees themselves imply. Throws DeclarationError when the options are wrong.
 */
export function sessionConsistency(options: SessionOptions = {}): Checker {
  return guaranteeing('sessionConsistency', 'session-consistency', {
    guarantees: ['read-your-writes', 'monotonic-reads', 'monotonic-writes', 'writes-follow-reads'],
    options,
  })
}

/** A session sees its own acknowledged writes, or later ones: see `sessionConsistency`. */
export function readYourWrites(options: SessionOptions = {}): Checker {
  return guaranteeing('readYourWrites', 'read-your-writes', { guarantees: ['read-your-writes'], options })
}

/**
 * What a session sees of a key does not go back: see `sessionConsistency`. Also of streams, such as watches and logs:
 * outputs `{ revisions: […] }` or `{ records: [[offset, value], …] }` must not come below what the process had reached
 * on the key, or below the `from` that it asked for.
 */
export function monotonicReads(options: SessionOptions = {}): Checker {
  return guaranteeing('monotonicReads', 'monotonic-reads', {
    guarantees: ['monotonic-reads'],
    options,
    pattern: 8,
    also: judgeStreams,
  })
}

/** The writes of a session take effect in its order: see `sessionConsistency`. It needs versions to be broken. */
export function monotonicWrites(options: SessionOptions = {}): Checker {
  return guaranteeing('monotonicWrites', 'monotonic-writes', { guarantees: ['monotonic-writes'], options })
}

/** A write comes after what its session had read: see `sessionConsistency`. It needs versions to be broken. */
export function writesFollowReads(options: SessionOptions = {}): Checker {
  return guaranteeing('writesFollowReads', 'writes-follow-reads', {
    guarantees: ['writes-follow-reads'],
    options,
  })
}

function guaranteeing(
  factory: string,
  name: string,
  {
    guarantees,
    options,
    pattern = 7,
    also,
  }: {
    guarantees: readonly Guarantee[]
    options: SessionOptions
    pattern?: number
    also?: (input: CheckInput) => Judgement
  },
): Checker {
  const given = readSessionOptions(factory, options)
  const promised = new Set(guarantees)
  return defineChecker({
    name,
    pattern,
    options,
    usesModel: true,
    needs: [...needs],
    scope,
    judge(input) {
      const judged = judgeSessions(input, promised, given)
      return also === undefined ? judged : together(judged, also(input))
    },
  })
}

function together(one: Judgement, other: Judgement): Judgement {
  return {
    consumed: one.consumed + other.consumed,
    anomalies: [...one.anomalies, ...other.anomalies],
    untold: (one.untold ?? 0) + (other.untold ?? 0),
    undecided: one.undecided ?? other.undecided ?? null,
    evidence: { ...one.evidence, ...other.evidence },
  }
}
