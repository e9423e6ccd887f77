import { milliseconds } from '../../time/duration.js'
import { faultInWords } from '../describe.js'
import type { Nemesis } from '../fault.js'
import { AwaitedEvent } from './event.js'
import type { ScheduledFault } from './record.js'
import type { Stage } from './stage.js'

/** A declared fault that has its turn. */
export interface FaultTurn {
  readonly nemesis: Nemesis
  /** Nanoseconds since the run's start from which its times count. */
  readonly begins: number
  /** Its place in the schedule, by which its random targets are drawn. */
  readonly path: string
  /** Told every time that it fires. */
  readonly record: ScheduledFault[]
}

/**
 * Fires a declared fault at its time, and with `every` again and again; resolves when the last of it is healed, or left
 * for the end of the workload. Again only while it can land and stay its time before `until` and the end.
 */
export async function playFault(stage: Stage, { nemesis, begins, path, record }: FaultTurn): Promise<void> {
  const { at, for: lasts, every, until } = nemesis.schedule
  const first = begins + milliseconds(at ?? 0, 'at') * 1e6
  const forMs = lasts === undefined ? Number.POSITIVE_INFINITY : milliseconds(lasts, 'for')
  const ends = until === undefined || typeof until === 'function' ? null : milliseconds(until, 'until') * 1e6
  const last = ends === null ? stage.end : Math.min(stage.end, begins + ends)
  const tookMs = (nemesis.definition.oneShot ? 0 : forMs) + nemesis.landWithinMs
  // What would follow it in a sequence has its turn no more.
  if (first >= stage.end) return stage.untilTime(stage.end)
  let event: AwaitedEvent | null = null
  try {
    for (let due = first, round = 0; due < last; round++) {
      await stage.untilTime(due, event?.came)
      if (stage.signal.aborted || event?.came.aborted) return
      const fired = await stage.fire(nemesis, stage.options.random.fork(path).fork(`round ${round}`))
      record.push({
        fault: faultInWords(nemesis),
        afterMs: (due - begins) / 1e6,
        forMs: Number.isFinite(forMs) ? forMs : null,
        id: fired.fault.id,
        drawn: fired.drawn,
        skipped: null,
        recoveredMs: null,
      })
      // Only now: an event that has come before the fault is not its end.
      if (typeof until === 'function') event ??= new AwaitedEvent(until, stage.signal)
      await stage.keep(fired, nemesis, { forMs, last, over: event?.came ?? null })
      if (every === undefined) break
      const period = milliseconds(every, 'every') * 1e6
      due = first + (Math.floor((stage.now() - first) / period) + 1) * period
      if (due + tookMs * 1e6 > last) break
    }
  } finally {
    const error = event?.stop() ?? null
    if (error !== null) {
      stage.remarks.push(`the event that ends ${faultInWords(nemesis)} did not come: ${error}`)
    }
  }
}
