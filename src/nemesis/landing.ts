import { messageOf } from '../errors.js'
import type { Evidence } from './evidence.js'
import { changed, type Injection, type LandingSignal } from './fault.js'
import { seconds } from '../time/wait.js'

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
 * every further signal changed, the fault itself objects to nothing, and no traffic goes round it. Never throws.
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
    return { evidence, missing: injection.objection?.() ?? missingSide(evidence, signals), final: false }
  } catch (error) {
    return { evidence, missing: `its evidence could not be read: ${messageOf(error)}`, final: false }
  }
}

async function readSignals(
  signals: readonly WatchedSignal[],
  now: () => number,
): Promise<readonly Evidence[]> {
  return Promise.all(
    signals.map(async ({ signal, before }): Promise<Evidence> => {
      const after = await signal.sample()
      return { side: 'victim', subject: 'landing signal', signal: signal.name, before, after, at: now() }
    }),
  )
}

function missingSide(evidence: readonly Evidence[], signals: readonly WatchedSignal[]): string | null {
  for (const side of ['injector', 'victim'] as const) {
    const readings = evidence.filter((item) => item.side === side)
    if (readings.some(changed)) continue
    const whose = side === 'injector' ? "the injector's side" : 'any victim'
    const read = readings.map(inWords).join('; ')
    return `nothing changed on ${whose}${read === '' ? ': there was nothing to read' : `: ${read}`}`
  }
  const still = evidence
    .slice(evidence.length - signals.length)
    .find((item) => signals.length > 0 && !changed(item))
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
