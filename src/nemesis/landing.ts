import { messageOf } from '../errors.js'
import type { Evidence } from './evidence.js'
import { changed, type Injection, type LandingSignal } from './fault.js'
import { seconds } from '../time/wait.js'
import { refutedBy } from './refuted.js'

/** A landing signal with its reading from before the injection. */
export interface WatchedSignal {
  readonly signal: LandingSignal
  readonly before: number | string
}

/** One look at a fault: what was read, and why it is not proven yet (null when it is). */
export interface Look {
  readonly evidence: readonly Evidence[]
  /** What is missing, without the time waited. */
  readonly missing: string | null
  /** Nothing that comes later can prove it. */
  readonly final: boolean
}

/**
 * Reads both sides of a fault once and decides: proven when something changed on the injector's side and on a victim's,
 * every further signal changed, the fault itself objects to nothing, no reading refutes it, and no traffic goes round it.
 * Never throws.
 */
export async function lookAt(
  injection: Injection,
  signals: readonly WatchedSignal[],
  now: () => number,
): Promise<Look> {
  let evidence: readonly Evidence[] = []
  try {
    evidence = [...(await injection.evidence()), ...(await readSignals(signals, now))]
    const bypasses = (await injection.bypasses?.()) ?? []
    if (bypasses.length > 0) {
      return { evidence, missing: `traffic went round the fault: ${bypasses.join('; ')}`, final: true }
    }
    const missing = injection.objection?.() ?? refutedBy(evidence) ?? missingSide(evidence)
    return { evidence, missing: missing ?? unchanged(evidence, signals), final: false }
  } catch (error) {
    return { evidence, missing: `its evidence could not be read: ${messageOf(error)}`, final: false }
  }
}

/** Each signal as a reading; one that must stand still counts from now, when the fault is in effect. */
async function readSignals(
  signals: readonly WatchedSignal[],
  now: () => number,
): Promise<readonly Evidence[]> {
  return Promise.all(
    signals.map(async ({ signal, before }): Promise<Evidence> => {
      const after = await signal.sample()
      const reading = {
        side: 'victim',
        subject: 'landing signal',
        signal: signal.name,
        after,
        at: now(),
      } as const
      return signal.expect === 'still'
        ? { ...reading, before: after, expected: 'still' }
        : { ...reading, before }
    }),
  )
}

/** Reads again what must stand still: the readings of a fault that has landed, as they are now. */
export async function lookAgain(
  evidence: readonly Evidence[],
  signals: readonly WatchedSignal[],
  now: () => number,
): Promise<readonly Evidence[]> {
  return Promise.all(
    evidence.map(async (reading): Promise<Evidence> => {
      if (reading.expected !== 'still') return reading
      const watched = signals.find(({ signal }) => signal.name === reading.signal)
      return watched === undefined ? reading : { ...reading, after: await watched.signal.sample(), at: now() }
    }),
  )
}

function missingSide(evidence: readonly Evidence[]): string | null {
  for (const side of ['injector', 'victim'] as const) {
    const readings = evidence.filter((item) => item.side === side && item.expected !== 'still')
    if (readings.some(changed)) continue
    const whose = side === 'injector' ? "the injector's side" : 'any victim'
    const read = readings.map(inWords).join('; ')
    return `nothing changed on ${whose}${read === '' ? ': there was nothing to read' : `: ${read}`}`
  }
  return null
}

/** The first landing signal that is waited for. */
function unchanged(evidence: readonly Evidence[], signals: readonly WatchedSignal[]): string | null {
  const awaited = signals.length === 0 ? [] : evidence.slice(-signals.length)
  const still = awaited.find((item) => item.expected !== 'still' && !changed(item))
  return still === undefined ? null : `the landing signal ${still.signal} stayed ${still.after}`
}

function inWords({ subject, signal, before, after }: Evidence): string {
  return before === after
    ? `${signal} of ${subject} stayed ${after}`
    : `${signal} of ${subject}: ${before} -> ${after}`
}

/** The cause to record when the evidence did not come in time. */
export function causeOf(look: Look, waitedMs: number, endedEarly: string | null): string {
  const why = look.missing ?? 'the evidence was not read'
  if (look.final) return why
  return `${why}; waited ${seconds(waitedMs)}${endedEarly === null ? '' : `, until ${endedEarly}`}`
}
