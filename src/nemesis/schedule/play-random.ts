import { FaultError } from '../../errors.js'
import { Random } from '../../random/random.js'
import { milliseconds } from '../../time/duration.js'
import { faultInWords } from '../describe.js'
import { isRefusal } from './aimed.js'
import { AwaitedEvent } from './event.js'
import { drawGroups, type Group } from './draw.js'
import type { RandomFaults } from './plan.js'
import type { ScheduledFault } from './record.js'
import type { Stage, Stay } from './stage.js'

/** A random schedule that has its turn. */
export interface RandomTurn {
  readonly plan: RandomFaults
  /** Nanoseconds since the run's start from which its times count. */
  readonly begins: number
  readonly path: string
  /** Told every fault whose time came. */
  readonly record: ScheduledFault[]
}

/**
 * Draws groups of faults and plays them, one group after another, each once the system has recovered from the one
 * before. Ends when the next group would not have its time to land and stay before `until` and the end, or when the
 * system does not recover.
 *
 * What is drawn depends on the seed and the number of nodes alone. Within a group faults go in one by one in the drawn
 * order, and the targets of all before stay taken until the group is over, so that draws of targets do not depend on how
 * long anything took. Throws FaultError when the system is too small for the envelope.
 */
export async function playRandom(stage: Stage, { plan, begins, path, record }: RandomTurn): Promise<void> {
  const { at, until } = plan.schedule
  const random = plan.seed === null ? stage.options.random.fork(path) : new Random(plan.seed)
  const ends = until === undefined || typeof until === 'function' ? null : milliseconds(until, 'until') * 1e6
  const last = ends === null ? stage.end : Math.min(stage.end, begins + ends)
  const groups = drawGroups(
    { ...plan, holds: holdsOf(plan), maxOverlap: roomOf(plan, stage) },
    random.fork('groups'),
  )
  await stage.untilTime(begins + milliseconds(at ?? 0, 'at') * 1e6)
  const event = typeof until === 'function' ? new AwaitedEvent(until, stage.signal) : null
  const over = event?.came ?? null
  const ended = () => stage.signal.aborted || over?.aborted === true
  try {
    for (const group of groups) {
      await stage.untilTime(stage.now() + group.pauseMs * 1e6, over)
      if (ended() || stage.now() + longestMs(plan, group) * 1e6 > last) return
      const from = record.length
      const hit = await playGroup(stage, plan, { group, random, record, stay: { last, over } })
      if (ended() || !(await recovers(stage, { group: record.slice(from), hit }))) return
    }
  } finally {
    const error = event?.stop() ?? null
    if (error !== null) stage.remarks.push(`the event that ends the random faults did not come: ${error}`)
  }
}

interface GroupTurn {
  readonly group: Group
  readonly random: Random
  readonly record: ScheduledFault[]
  readonly stay: Pick<Stay, 'last' | 'over'>
}

/** Resolves to the nodes that were not well, once all faults of the group are healed. */
async function playGroup(
  stage: Stage,
  { kinds, keepQuorum }: RandomFaults,
  { group, random, record, stay }: GroupTurn,
): Promise<readonly string[]> {
  const begun = stage.now()
  const taken: string[] = []
  const staying: Promise<void>[] = []
  let beganMs = group.pauseMs
  for (const { kind, afterMs, forMs } of group.faults) {
    await stage.untilTime(begun + afterMs * 1e6, stay.over)
    const nemesis = kinds[kind]
    if (nemesis === undefined || stage.signal.aborted || stay.over?.aborted) break
    const targets = random.fork(`targets ${record.length}`)
    const planned = { fault: faultInWords(nemesis), afterMs: beganMs + afterMs, forMs, recoveredMs: null }
    beganMs = 0
    try {
      const fired = await stage.fire(nemesis, targets, { taken, keepQuorum })
      record.push({ ...planned, id: fired.fault.id, drawn: fired.drawn, skipped: null })
      taken.push(...fired.hit)
      staying.push(
        stage.keep(fired, nemesis, { ...stay, forMs }).catch((error: unknown) => stage.fail(error)),
      )
    } catch (error) {
      if (!isRefusal(error)) {
        stage.fail(error)
        break
      }
      record.push({ ...planned, id: null, drawn: [], skipped: error.summary })
    }
  }
  await Promise.all(staying)
  return taken
}

/** Whether the system is well again after a group; told to the record of its faults. */
async function recovers(
  stage: Stage,
  { group, hit }: { readonly group: readonly ScheduledFault[]; readonly hit: readonly string[] },
): Promise<boolean> {
  const injected = group.filter(({ id }) => id !== null)
  if (injected.length === 0) return true
  const healed = stage.now()
  const atEnd = AbortSignal.timeout(Math.max(0, Math.ceil((stage.end - healed) / 1e6)))
  const signal = AbortSignal.any([stage.signal, atEnd])
  const well = await stage.whileStartingAgain(hit, () => stage.options.recovered(signal))
  if (well) {
    for (const fault of injected) fault.recoveredMs = (stage.now() - healed) / 1e6
  } else if (!signal.aborted) {
    const ids = injected.map(({ id }) => id).join(', ')
    stage.remarks.push(`random faults ended after ${ids}: the system did not get ready again in its time`)
  }
  return well
}

function holdsOf({ kinds }: RandomFaults): readonly (number | null)[] {
  return kinds.map(({ definition, schedule }) => {
    if (definition.oneShot) return 0
    return schedule.for === undefined ? null : milliseconds(schedule.for, 'for')
  })
}

/** Faults that may be in place at once: as many as declared, and as the system has nodes for. */
function roomOf({ maxOverlap, keepQuorum }: RandomFaults, { nodes }: Stage): number {
  const room = keepQuorum ? Math.floor((nodes.length - 1) / 2) : nodes.length
  if (room > 0) return Math.min(maxOverlap, room)
  throw new FaultError(
    'random',
    `nemesis.random(): of ${nodes.length === 1 ? 'one node' : `${nodes.length} nodes`} none can be taken so that a majority is left`,
    { hint: 'declare keepQuorum: false, or give the system three nodes or more' },
  )
}

/** The longest that a group may take until the last of its faults is healed. */
function longestMs({ kinds }: RandomFaults, { faults }: Group): number {
  let inPlaceMs = 0
  let endsMs = 0
  for (const { kind, afterMs, forMs } of faults) {
    inPlaceMs = Math.max(inPlaceMs, afterMs) + (kinds[kind]?.landWithinMs ?? 0)
    endsMs = Math.max(endsMs, inPlaceMs + forMs)
  }
  return endsMs
}
