import type { HostSignal } from '../../session/host-record.js'
import type { RunRecord } from '../../session/record.js'
import type { Experiment } from '../../session/classification-record.js'

/** An anomaly shows up to this long after what led to it. */
const aftermathNs = 2e9

/** Where in a run the violation lies: from the first invocation to the last answer of the operations that show it. */
export interface Moment {
  readonly from_ts: number
  readonly to_ts: number
}

/** A run that was violated, with the moment of the violation; null when no operations are named, and then all of it counts. */
export interface ViolatedRun {
  readonly run: Pick<RunRecord, 'name' | 'host'>
  readonly moment: Moment | null
}

/**
 * Whether the violations line up with what happened to the machine. They must in every run that was violated: one that
 * was violated in quiet clears the machine. Null when no such run was watched.
 */
export function hostSignals(violated: readonly ViolatedRun[]): Experiment | null {
  const watched = violated.filter(({ run }) => run.host !== null)
  if (watched.length === 0) return null
  const aligned = watched.map(({ run, moment }) => ({
    run: run.name,
    signals: (run.host?.signals ?? []).filter((signal) => moment === null || meets(signal, moment)),
  }))
  const question = 'Does the violation line up with what happened to the machine?'
  const quiet = aligned.filter(({ signals }) => signals.length === 0)
  if (quiet.length > 0) {
    return {
      name: 'host signals',
      question,
      outcome: `no: nothing happened to it in ${quiet.length} of ${watched.length} violated runs`,
      points: null,
      clears: ['environment'],
      evidence: quiet.map(({ run }) => run),
    }
  }
  const details = [...new Set(aligned.flatMap(({ signals }) => signals.map(inWords)))]
  return {
    name: 'host signals',
    question,
    outcome: `yes, in ${watched.length} of ${watched.length} violated runs: ${details.slice(0, 3).join('; ')}`,
    points: 'environment',
    clears: [],
    evidence: aligned.map(({ run }) => run),
  }
}

function meets(signal: HostSignal, { from_ts, to_ts }: Moment): boolean {
  return signal.from_ts <= to_ts && signal.to_ts + aftermathNs >= from_ts
}

function inWords({ kind, detail }: HostSignal): string {
  return `${kind}: ${detail}`
}
