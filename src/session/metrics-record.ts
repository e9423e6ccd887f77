import { z } from 'zod'
import { nominalSchema } from './observation-record.js'

const secondSchema = z.strictObject({
  /** Seconds from the start of the run. */
  second: z.int(),
  /** Operations that were answered in it, ok or failed, and those that began in it and whose outcome is unknown. */
  ok: z.int(),
  failed: z.int(),
  unknown: z.int(),
  /** Milliseconds from invocation to answer, of those that ended ok in it; null without any. */
  p50: z.number().nullable(),
  p99: z.number().nullable(),
})
export type MetricsSecond = z.infer<typeof secondSchema>

/** Counters of the machine at one moment, as they were read. */
const hostSampleSchema = z.strictObject({
  /** Nanoseconds on the clock of the run's history. */
  ts: z.int(),
  cpu: z.strictObject({ stolen: z.number(), all: z.number() }).nullable(),
  throttledMs: z.number().nullable(),
  oomKills: z.array(z.number()),
  wallAheadMs: z.number(),
  disks: z.array(
    z.strictObject({
      name: z.string(),
      freeBytes: z.number(),
      totalBytes: z.number(),
      filesUsedUp: z.boolean(),
    }),
  ),
  stallMs: z.number(),
})

/** `metrics/<scenario>/<run>.json`: what can be drawn over the time of a run. */
export const metricsSchema = z.strictObject({
  run: z.string(),
  /** How it served before the first fault (the baseline) and after the last recovery. */
  nominal: nominalSchema.nullable(),
  seconds: z.array(secondSchema),
  host: z.array(hostSampleSchema),
})
