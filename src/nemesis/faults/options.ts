import { z } from 'zod'
import { messageOf } from '../../errors.js'
import { milliseconds, type Duration } from '../../time/duration.js'
import type { Target } from '../fault.js'

const targetHint = "expected a node name, a role such as 'leader', or a list of them"

/** A late-bound target. */
export const targetSchema: z.ZodType<Target> = z.union(
  [z.string().min(1, targetHint), z.array(z.string().min(1, targetHint)).min(1, targetHint)],
  targetHint,
)

/** A duration that `milliseconds` can read. */
export const durationSchema: z.ZodType<Duration> = z.custom<Duration>().superRefine((value, context) => {
  try {
    milliseconds(value)
  } catch (error) {
    context.addIssue({ code: 'custom', message: messageOf(error).split('\n')[0] ?? '' })
  }
})

/** What happens to traffic that meets a cut: nothing comes back, or a reset does. */
export const modeSchema = z.enum(['drop', 'reject'])

/** What happens to connections that exist when a cut comes: they are cut as well, or go on. */
export const establishedSchema = z.enum(['cut', 'left'])
