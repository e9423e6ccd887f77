import type { Candidate, CandidateLoad, RecordedLoad } from '../../findings/reduction/candidate.js'
import { ddmin } from '../../findings/reduction/ddmin.js'
import type { FaultEvent } from '../../findings/reduction/events.js'
import { writtenElsewhere } from '../../findings/reduction/written-elsewhere.js'
import type { Operation } from '../../history/operation.js'
import { fewestEvents } from './fewest-events.js'
import type { Shown, Trials } from './trials.js'

/** A run that shows the violation, with what a search begins with. */
export interface Ground {
  readonly recorded: RecordedLoad
  readonly events: readonly FaultEvent[]
  /** The smallest part of its history that is a violation by itself. */
  readonly core: readonly Operation[]
  /** Milliseconds of the workload up to the last operation of the core. */
  readonly coreEndsMs: number
}

export interface SearchOptions {
  readonly trials: Pick<Trials, 'shows' | 'showsSurely' | 'best'>
  readonly ground: Ground
  /** The declared workload, as long as it was. */
  readonly full: CandidateLoad & { readonly kind: 'workload' }
  /** Reads the run of the best candidate, so that scripts can be made of it. */
  groundOf(shown: Shown): Promise<Ground>
}

/** Operations on the same keys that a script may have besides the core. */
const mostScripted = 200
/** Less workload is not tried for. */
const shortestMs = 500

/**
 * Looks for the fewest faults, and then the fewest operations, that still show a violation.
 *
 * It begins with a script of the core of the recorded history, which takes little time, and with the whole workload when
 * no script shows the violation. Resolves to true when each remaining fault was tried without; `trials.best` is what was
 * found, null when the violation was not seen again.
 */
export async function search(options: SearchOptions): Promise<boolean> {
  const { trials, ground, full } = options
  const begun =
    (await firstShown(trials, scripts(ground))) ??
    (await firstShown(trials, [{ events: ground.events, load: full }]))
  if (begun === null) return false
  const fewer = await fewerEvents(trials, begun)
  if (fewer.candidate.load.kind === 'operations') return smallestScript(trials, fewer.candidate)
  if (!fewer.minimal || trials.best === null) return fewer.minimal
  const scripted = await firstShown(trials, scripts(await options.groundOf(trials.best)))
  if (scripted !== null) return smallestScript(trials, scripted)
  await lessWorkload(trials, fewer.candidate, (await options.groundOf(trials.best)).coreEndsMs)
  return fewer.minimal
}

/** Scripts that may show what a recorded run has shown, the smallest first. */
function scripts({ recorded, events, core }: Ground): Candidate[] {
  const last = core.at(-1)
  if (last === undefined) return []
  const keys = new Set(core.map(({ key }) => key))
  const kept = new Set([...core, ...writtenElsewhere(core, recorded.operations)])
  const around = recorded.operations
    .filter(({ key, invoke_ts: invoked }) => keys.has(key) && invoked <= last.invoke_ts)
    .slice(-mostScripted)
  const smallest = recorded.operations.filter((one) => kept.has(one))
  const operations = recorded.operations.filter((one) => kept.has(one) || around.includes(one))
  const parts = operations.length > smallest.length ? [smallest, operations] : [smallest]
  const late = events.map((event) => onceLanded(event, core))
  const orders = late.some((event, index) => event !== events[index]) ? [late, events] : [events]
  return parts.flatMap((part) =>
    [false, true].flatMap((gaps) =>
      orders.map((ordered) => ({
        events: ordered,
        load: { kind: 'operations', recorded, operations: part, gaps } as const,
      })),
    ),
  )
}

/**
 * A fault that takes nodes down takes time to go in. What was answered meanwhile may have been answered before they were
 * down, so the fault then has its place where it landed.
 */
function onceLanded(event: FaultEvent, core: readonly Operation[]): FaultEvent {
  const { injected_ts: injected, landed_ts: landed } = event.window
  if (landed === null || !['process', 'storage'].includes(event.category)) return event
  const between = core.some(({ complete_ts: ended }) => ended !== null && ended > injected && ended <= landed)
  return between ? { ...event, window: { ...event.window, injected_ts: landed } } : event
}

async function firstShown(
  trials: SearchOptions['trials'],
  candidates: readonly Candidate[],
): Promise<Candidate | null> {
  for (const candidate of candidates) {
    const shown = await trials.shows(candidate)
    if (shown === null) return null
    if (shown) return candidate
  }
  return null
}

/** Drops operations, then the pauses between them, then faults that those operations do not need. */
async function smallestScript(trials: SearchOptions['trials'], begun: Candidate): Promise<boolean> {
  let candidate = begun
  const { load } = begun
  if (load.kind !== 'operations') return false
  const { kept, minimal } = await ddmin(load.operations, async (operations) =>
    operations.length === 0 ? false : trials.shows({ ...candidate, load: { ...load, operations } }),
  )
  candidate = { ...candidate, load: { ...load, operations: kept } }
  if (minimal && load.gaps) {
    const hurried = { ...candidate, load: { ...load, operations: kept, gaps: false } }
    if (await trials.shows(hurried)) candidate = hurried
  }
  const fewer = await fewerEvents(trials, candidate)
  return minimal && fewer.minimal
}

async function fewerEvents(
  trials: SearchOptions['trials'],
  begun: Candidate,
): Promise<{ candidate: Candidate; minimal: boolean }> {
  const { kept, minimal } = await fewestEvents(begun.events, (events) =>
    trials.showsSurely({ ...begun, events }),
  )
  return { candidate: { ...begun, events: kept }, minimal }
}

/** Ends the workload soon after the violation, then halves the number of clients. */
async function lessWorkload(
  trials: SearchOptions['trials'],
  begun: Candidate,
  coreEndsMs: number,
): Promise<void> {
  if (begun.load.kind !== 'workload') return
  let { load } = begun
  const durationMs = Math.max(shortestMs, Math.ceil(coreEndsMs + shortestMs))
  if (durationMs < load.durationMs && (await trials.shows({ ...begun, load: { ...load, durationMs } }))) {
    load = { ...load, durationMs }
  }
  for (let clients = Math.floor(load.clients / 2); clients >= 1; clients = Math.floor(clients / 2)) {
    if (!(await trials.shows({ ...begun, load: { ...load, clients } }))) return
    load = { ...load, clients }
  }
}
