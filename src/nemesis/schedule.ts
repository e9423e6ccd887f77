import { FaultError, messageOf } from '../errors.js'
import { milliseconds } from '../time/duration.js'
import type { FaultWindow } from './evidence.js'
import type { FaultContext, Nemesis } from './fault.js'
import { inject, type ActiveFault, type InjectOptions } from './inject.js'
import { sleep } from '../time/sleep.js'

export interface ScheduleOptions extends Pick<InjectOptions, 'onOpen' | 'onClose'> {
  /** The workload's length: faults without `for` stay until then, and none outlives it. */
  readonly durationMs: number
  /** Aborting heals everything at once. */
  readonly signal: AbortSignal
  /** A fault is in place and its landing is decided; before any of its heal. */
  onInjected?(fault: ActiveFault): void
}

interface Planned {
  readonly nemesis: Nemesis
  readonly id: string
  readonly atMs: number
  readonly forMs: number
}

/**
 * Fires declared faults at their times, counted from now, and heals each `for` after it landed (after its injection
 * when it did not land), at the latest at the end of the workload. Faults may overlap. Ids are `F1`, `F2`, … in the
 * order of their times.
 *
 * Resolves to the windows of the faults that fired, all healed; also when it was aborted. When a fault cannot be put in
 * place or undone, the others are healed in reverse order and the first error is thrown.
 */
export async function runSchedule(
  nemeses: readonly Nemesis[],
  context: FaultContext,
  options: ScheduleOptions,
): Promise<readonly FaultWindow[]> {
  const start = context.clock.now()
  const end = start + options.durationMs * 1e6
  const failed = new AbortController()
  const signal = AbortSignal.any([context.signal, options.signal, failed.signal])
  const untilTime = (time: number) => sleep((time - context.clock.now()) / 1e6, signal)
  const fired: ActiveFault[] = []
  const errors: unknown[] = []

  const fire = async ({ nemesis, id, atMs, forMs }: Planned): Promise<void> => {
    if (atMs >= options.durationMs) return
    await untilTime(start + atMs * 1e6)
    if (signal.aborted) return
    const { onOpen, onClose } = options
    const fault = await inject(
      nemesis,
      { ...context, signal },
      { id, landBy: end, ...(onOpen ? { onOpen } : {}), ...(onClose ? { onClose } : {}) },
    )
    fired.push(fault)
    options.onInjected?.(fault)
    const { window } = fault
    const healAt = nemesis.definition.oneShot
      ? context.clock.now()
      : (window.landed_ts ?? window.injected_ts) + forMs * 1e6
    // What stays until the end is healed together with the rest, in reverse order.
    if (healAt >= end) return untilTime(end)
    await untilTime(healAt)
    if (!signal.aborted) await fault.heal()
  }

  await Promise.all(
    plan(nemeses).map((planned) =>
      fire(planned).catch((error: unknown) => {
        errors.push(error)
        failed.abort()
      }),
    ),
  )
  const open = fired.toSorted((a, b) => b.window.injected_ts - a.window.injected_ts)
  for (const fault of open) await fault.heal().catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw together(errors)
  return fired.map((fault) => fault.window).toSorted((a, b) => a.injected_ts - b.injected_ts)
}

function plan(nemeses: readonly Nemesis[]): readonly Planned[] {
  return nemeses
    .map((nemesis) => ({
      nemesis,
      atMs: milliseconds(nemesis.schedule.at ?? 0, 'at'),
      forMs:
        nemesis.schedule.for === undefined
          ? Number.POSITIVE_INFINITY
          : milliseconds(nemesis.schedule.for, 'for'),
    }))
    .toSorted((a, b) => a.atMs - b.atMs)
    .map((planned, index) => ({ ...planned, id: `F${index + 1}` }))
}

function together(errors: readonly unknown[]): unknown {
  const [first, ...others] = errors
  if (others.length === 0) return first
  return new FaultError('faults', [first, ...others].map(messageOf).join('\n'), { cause: first })
}
