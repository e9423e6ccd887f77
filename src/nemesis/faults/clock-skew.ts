import { z } from 'zod'
import { messageOf } from '../../errors.js'
import { milliseconds, type Duration } from '../../time/duration.js'
import type { FaultDefinition, Target } from '../fault.js'
import { clockInjection } from './clock-injection.js'
import { targetSchema } from './options.js'

/** A duration that may be negative: `'90s'`, `'-1h'`, `-250`. */
export type ClockOffset = Duration | `-${Duration}`

export interface ClockSkewOptions {
  readonly node: Target
  /** How far the clock is put forward, or back when it is negative. */
  readonly offset: ClockOffset
}

const yearMs = 365 * 24 * 3_600_000
/** Further away programs meet the ends of what their time types hold, which is another fault. */
const offsetMaxMs = 50 * yearMs

const offsetSchema: z.ZodType<ClockOffset> = z.custom<ClockOffset>().superRefine((value, context) => {
  try {
    const ms = Math.abs(offsetMs(value))
    if (ms > 0 && ms <= offsetMaxMs) return
    context.addIssue({ code: 'custom', message: 'expected an offset of up to 50 years, and not 0' })
  } catch (error) {
    context.addIssue({ code: 'custom', message: messageOf(error) })
  }
})

/**
 * Puts the wall clock of a node forward or back at once, as a wrong time source or an operator does. Monotonic time goes
 * on as before, and so do timers that run on it.
 *
 * Landed when the processes of the node have the changed clock, and the node's own clock, asked by the system's `clock`,
 * has moved by the offset. Lost when the node is started anew. Undone by giving the processes their clock back.
 */
export const clockSkew: FaultDefinition<ClockSkewOptions> = {
  name: 'clock-skew',
  category: 'time',
  needs: ['lifecycle', 'clock'],
  options: z.strictObject({ node: targetSchema, offset: offsetSchema }),
  inject(context, { node, offset }) {
    const ms = offsetMs(offset)
    return clockInjection(context, {
      fault: 'clock-skew',
      node,
      words: `by ${typeof offset === 'number' ? `${offset} ms` : offset}`,
      put: (name) => context.clocks.skew(name, ms),
      aheadMs: () => ms,
    })
  },
}

function offsetMs(offset: ClockOffset): number {
  if (typeof offset === 'number')
    return offset < 0 ? -milliseconds(-offset, 'offset') : milliseconds(offset, 'offset')
  const negative = typeof offset === 'string' && offset.startsWith('-')
  const ms = milliseconds((negative ? offset.slice(1) : offset) as Duration, 'offset')
  return negative ? -ms : ms
}
