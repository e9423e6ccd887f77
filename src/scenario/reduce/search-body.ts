import type { Candidate } from '../../findings/reduction/candidate.js'
import { faults as builtIn } from '../../nemesis/faults/index.js'
import type { RunRecord } from '../../session/record.js'
import { fewestEvents } from './fewest-events.js'
import type { Trials } from './trials.js'

/** A fault that a body put in. */
interface Injection {
  /** Which of the body's calls of `inject` it was, from 0. */
  readonly call: number
  readonly category: string
}

/** What a body put in during a run, in order: the faults that are not of its schedule. */
export function injectionsOf({ faults, schedule }: Pick<RunRecord, 'faults' | 'schedule'>): Injection[] {
  const scheduled = new Set(schedule.flatMap((part) => part.faults.map(({ id }) => id)))
  const known: Readonly<Record<string, { readonly category: string } | undefined>> = builtIn
  return faults
    .filter(({ id }) => !scheduled.has(id))
    .map(({ fault }, call) => ({ call, category: known[fault]?.category ?? fault }))
}

/**
 * Looks for the fewest faults of a body that still show its violation, by runs of the whole body in which calls of
 * `inject` put nothing in. A body that depends on a fault, as by waiting for what it does, does not get to its violation
 * without it, so that the fault stays. Resolves to true when each remaining one was tried without; see `search`.
 */
export async function searchBody(
  trials: Pick<Trials, 'shows' | 'showsSurely'>,
  injections: readonly Injection[],
): Promise<boolean> {
  const without = (kept: readonly Injection[]): Candidate => ({
    events: [],
    load: {
      kind: 'body',
      injected: injections.length,
      leftOut: injections.filter((one) => !kept.includes(one)).map(({ call }) => call),
    },
  })
  if ((await trials.shows(without(injections))) !== true) return false
  const { minimal } = await fewestEvents(injections, (kept) => trials.showsSurely(without(kept)))
  return minimal
}
