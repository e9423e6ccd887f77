import type { HostSignal } from '../../session/host-record.js'
import type { RunRecord, ScenarioRecord } from '../../session/record.js'
import type { Experiment } from '../../session/classification-record.js'

/** An anomaly shows up to this long after what led to it. */
const aftermathNs = 2e9

/** A machine that is slow makes answers late, not other ones. */
const slowness: ReadonlySet<HostSignal['kind']> = new Set(['steal', 'throttling', 'stall'])
/** Patterns of oracles that judge what was answered and in which order, however long it took. */
const orderPatterns = [1, 3, 6, 8, 9, 10, 11, 13]
/** What its holder may lose while nothing runs. */
const expiring: readonly (string | null)[] = ['lock', 'lease', 'semaphore']

/** Whether a machine that is merely slow can be the reason why this oracle finds a violation. */
export function slownessMatters(
  checker: Pick<ScenarioRecord['checkers'][number], 'name' | 'pattern'>,
  model: string | null,
): boolean {
  return (
    expiring.includes(model) ||
    checker.name === 'bounded-staleness' ||
    !orderPatterns.includes(checker.pattern)
  )
}

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
 * was violated in quiet clears the machine. That it was slow counts only `bySlowness`, where that can be the reason.
 * Null when no such run was watched.
 */
export function hostSignals(
  violated: readonly ViolatedRun[],
  { bySlowness }: { readonly bySlowness: boolean },
): Experiment | null {
  const watched = violated.filter(({ run }) => run.host !== null)
  if (watched.length === 0) return null
  const met = watched.map(({ run, moment }) => ({
    run: run.name,
    signals: (run.host?.signals ?? []).filter((signal) => moment === null || meets(signal, moment)),
  }))
  const aligned = met.map(({ run, signals }) => ({
    run,
    signals: signals.filter(({ kind }) => bySlowness || !slowness.has(kind)),
  }))
  const question = 'Does the violation line up with what happened to the machine?'
  const quiet = aligned.filter(({ signals }) => signals.length === 0)
  if (quiet.length > 0) {
    return {
      name: 'host signals',
      question,
      outcome: `no: nothing happened to it in ${quiet.length} of ${watched.length} violated runs${bySlowness ? '' : slow(met)}`,
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

/** Names the slowness that was left out of account. */
function slow(met: readonly { readonly signals: readonly HostSignal[] }[]): string {
  const first = met.flatMap(({ signals }) => signals).find(({ kind }) => slowness.has(kind))
  if (first === undefined) return ''
  return ` that could be the reason; slowness, such as ${inWords(first)}, makes answers late, not other ones`
}

function meets(signal: HostSignal, { from_ts, to_ts }: Moment): boolean {
  return signal.from_ts <= to_ts && signal.to_ts + aftermathNs >= from_ts
}

function inWords({ kind, detail }: HostSignal): string {
  return `${kind}: ${detail}`
}
