import type { Host, HostSignal } from '../../session/host-record.js'
import type { RunRecord, ScenarioRecord } from '../../session/record.js'
import type { Experiment } from '../../session/classification-record.js'
import { judgesTime } from '../../verdict/judges-time.js'

/** An anomaly shows up to this long after what led to it. */
const aftermathNs = 2e9

/** A machine that is slow makes answers late, not other ones. */
const slowness: ReadonlySet<HostSignal['kind']> = new Set(['steal', 'throttling', 'stall'])
/** Without a look at each of these, nobody knows that a machine was quiet: what it is, and its name among what was watched. */
const lookedAt: readonly (readonly [what: string, source: RegExp])[] = [
  ['clocks', /clock/i],
  ['OOM kills', /\boom\b/i],
  ['free space', /\bfree space\b/i],
]
/** Patterns of oracles that judge what was answered and in which order, however long it took. */
const orderPatterns = [1, 3, 6, 8, 9, 10, 11, 13]
/** What its holder may lose while nothing runs. */
const expiring: readonly (string | null)[] = ['lock', 'lease', 'semaphore']

/** Whether a machine that is merely slow can be the reason why this oracle finds a violation. */
export function slownessMatters(
  checker: Pick<ScenarioRecord['checkers'][number], 'name' | 'pattern'>,
  model: string | null,
): boolean {
  return expiring.includes(model) || judgesTime(checker) || !orderPatterns.includes(checker.pattern)
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
 * was violated in quiet clears the machine, if all that counts was watched. That it was slow counts only `bySlowness`,
 * where that can be the reason. Null when no such run was watched.
 */
export function hostSignals(
  violated: readonly ViolatedRun[],
  { bySlowness }: { readonly bySlowness: boolean },
): Experiment | null {
  const watched = violated.flatMap(({ run: { name, host }, moment }) => {
    if (host === null) return []
    const met = host.signals.filter((signal) => moment === null || meets(signal, moment))
    const aligned = met.filter(({ kind }) => bySlowness || !slowness.has(kind))
    return [{ name, met, aligned, unwatched: unwatchedIn(host) }]
  })
  if (watched.length === 0) return null
  const question = 'Does the violation line up with what happened to the machine?'
  const quiet = watched.filter(({ aligned }) => aligned.length === 0)
  if (quiet.length > 0) {
    const [seen = quiet[0]] = quiet.filter(({ unwatched }) => unwatched.length === 0)
    const unwatched = seen?.unwatched ?? []
    return {
      name: 'host signals',
      question,
      outcome:
        `no: nothing happened to it in ${quiet.length} of ${watched.length} violated runs` +
        (bySlowness ? '' : slow(watched)) +
        (unwatched.length === 0 ? '' : `; but nobody watched ${unwatched.join(', ')}`),
      points: null,
      clears: unwatched.length === 0 ? ['environment'] : [],
      evidence: quiet.map(({ name }) => name),
    }
  }
  const details = [...new Set(watched.flatMap(({ aligned }) => aligned.map(inWords)))]
  return {
    name: 'host signals',
    question,
    outcome: `yes, in ${watched.length} of ${watched.length} violated runs: ${details.slice(0, 3).join('; ')}`,
    points: 'environment',
    clears: [],
    evidence: watched.map(({ name }) => name),
  }
}

function unwatchedIn({ watched }: Pick<Host, 'watched'>): string[] {
  return lookedAt.filter(([, source]) => !watched.some((one) => source.test(one))).map(([what]) => what)
}

/** Names the slowness that was left out of account. */
function slow(watched: readonly { readonly met: readonly HostSignal[] }[]): string {
  const first = watched.flatMap(({ met }) => met).find(({ kind }) => slowness.has(kind))
  if (first === undefined) return ''
  return ` that could be the reason; slowness, such as ${inWords(first)}, makes answers late, not other ones`
}

function meets(signal: HostSignal, { from_ts, to_ts }: Moment): boolean {
  return signal.from_ts <= to_ts && signal.to_ts + aftermathNs >= from_ts
}

function inWords({ kind, detail }: HostSignal): string {
  return `${kind}: ${detail}`
}
