import { z } from 'zod'

/** Something that happened to the machine while a run went on, which may be what an anomaly really shows. */
export const hostSignalSchema = z.strictObject({
  kind: z.enum(['steal', 'throttling', 'oom-kill', 'clock-step', 'disk-full', 'stall']),
  /** Nanoseconds on the clock of the run's history. */
  from_ts: z.int(),
  to_ts: z.int(),
  /** With numbers: `37% of CPU time was stolen over 1.0 s`. */
  detail: z.string(),
})
export type HostSignal = z.infer<typeof hostSignalSchema>

export const hostSchema = z.strictObject({
  /** Sources that could be read, such as `/proc/stat`; a kind whose source is missing was not watched. */
  watched: z.array(z.string()),
  unwatched: z.array(z.string()),
  signals: z.array(hostSignalSchema),
})
export type Host = z.infer<typeof hostSchema>
