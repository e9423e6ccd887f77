import { z } from 'zod'

/**
 * The vocabulary of the run records: what was planned, what the injector said, what a victim showed, what the oracle said.
 * A field that is not known is an error, so that none is passed over.
 */
export const givenSchema = z.strictObject({
  plan: z
    .strictObject({
      fault: z.string(),
      /** What the fault is about. */
      target: z.string().optional(),
      node: z.string().optional(),
      proxy: z.string().optional(),
      isolate: z.array(z.string()).optional(),
      pairs: z.array(z.tuple([z.string(), z.string()])).optional(),
      /** How long, and how much. */
      forMs: z.number().optional(),
      addMs: z.number().optional(),
      offsetMs: z.number().optional(),
      offsetS: z.number().optional(),
    })
    .optional(),
  injector: z
    .strictObject({
      ok: z.boolean(),
      said: z.string().optional(),
      error: z.string().optional(),
      /** What it can be measured by, where it was. */
      qdiscInTargetNamespace: z.array(z.unknown()).optional(),
      proxyBytes: z.array(z.strictObject({ tMs: z.number(), total: z.number() })).optional(),
    })
    .optional(),
  /** Readings in order; `<subject>.<what>` names whose state it is. */
  victim: z.array(z.record(z.string(), z.union([z.number(), z.string()]))).optional(),
  /** Where whoever wrote the record has looked at the evidence already. */
  landed: z.boolean().optional(),
  attempted: z.boolean().optional(),
  setup: z.strictObject({ ok: z.boolean(), error: z.string().optional() }).optional(),
  capabilityProbe: z.record(z.string(), z.string()).optional(),
  recording: z.string().optional(),
  history: z.array(z.looseObject({ process: z.number(), clock: z.string() })).optional(),
  oracle: z
    .strictObject({
      checker: z.string(),
      valid: z.union([z.boolean(), z.literal('unknown')]),
      reason: z.string().optional(),
      /** The field of the events by which it put them in order. */
      orderedBy: z.string().optional(),
    })
    .nullable(),
  seeds: z.int().positive().optional(),
  recovered: z.boolean().optional(),
  budgetMet: z.enum(['smoke', 'hardening']).optional(),
})
export type Given = z.infer<typeof givenSchema>
