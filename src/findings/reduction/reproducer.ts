import { existsSync } from 'node:fs'
import { z } from 'zod'
import { SessionError } from '../../errors.js'
import { jsonSchema } from '../../json.js'
import { readJson } from '../../session/read-json.js'

/** The version of the file; another one is refused. */
export const reproducerVersion = 1

const turn = {
  /** Moments that come before: `o1 invoked`, `o1 ended`, `F1 placed`, `F1 landed`, `F1 healed`. */
  after: z.array(z.string()),
  /** Milliseconds from the last of them. */
  waitMs: z.number().nonnegative(),
}

const operationSchema = z.strictObject({
  id: z.string(),
  client: z.int().nonnegative(),
  node: z.string(),
  type: z.string(),
  key: z.union([z.string(), z.number()]).nullable(),
  value: jsonSchema,
  ...turn,
})

/** A fault of the scenario's declaration, as it came in the run that is reproduced. */
export const reproducedFaultSchema = z.strictObject({
  id: z.string(),
  /** As declared: `partition isolate=leader`. */
  fault: z.string(),
  /** Its place in the declaration: `0` is the first of `nemesis`, `1.0` the first part of the second. */
  path: z.string(),
  /** Which of the kinds of a random schedule; null for a fault that is declared itself. */
  kind: z.int().nonnegative().nullable(),
  /** What targets that are drawn came to; roles are resolved anew. */
  drawn: z.array(
    z.strictObject({ target: z.union([z.string(), z.array(z.string())]), nodes: z.array(z.string()) }),
  ),
  /** Milliseconds from the start of the workload. */
  atMs: z.number().nonnegative(),
  /** Milliseconds that it stays once it has landed; null until the end. */
  forMs: z.number().nonnegative().nullable(),
  /** When it goes in, among scripted operations; null when times tell. */
  turn: z.strictObject(turn).nullable(),
  /** When it is healed, among scripted operations; null at the end. */
  heal: z.strictObject(turn).nullable(),
})
export type ReproducedFault = z.infer<typeof reproducedFaultSchema>

/** Everything that is needed to see a violation again with the scenario's own declaration. */
export const reproducerSchema = z.strictObject({
  reproducer: z.literal(reproducerVersion),
  scenario: z.strictObject({
    id: z.string(),
    name: z.string(),
    /** `file:line` of the declaration, relative to the project's root. */
    location: z.string().nullable(),
  }),
  /** The system that it runs on, of a scenario with several topologies. */
  system: z.string(),
  seed: z.int().nonnegative(),
  /** Digest of what drove and judged it (see `harnessDigest`); left out by versions that did not keep it. */
  harness: z.string().optional(),
  violation: z.strictObject({
    checker: z.string(),
    /** Types of the anomalies. */
    types: z.array(z.string()),
    explanation: z.string(),
  }),
  /** How often it may be run before the violation counts as not seen again. */
  tries: z.int().positive(),
  faults: z.array(reproducedFaultSchema),
  /**
   * What clients do: the operations of a script, the declared workload with fewer clients and for less long, or the body
   * with fewer of its faults.
   */
  load: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('operations'), operations: z.array(operationSchema) }),
    z.strictObject({
      kind: z.literal('workload'),
      clients: z.int().positive(),
      durationMs: z.number().nonnegative(),
    }),
    z.strictObject({
      kind: z.literal('body'),
      /** Calls of `inject`, counted from 0, that put nothing in. Faults of the schedule come as they are declared. */
      leftOut: z.array(z.int().nonnegative()),
    }),
  ]),
})
export type Reproducer = z.infer<typeof reproducerSchema>

/** Reads a reproducer. Throws SessionError that names the file when there is none, or none of this version. */
export async function readReproducer(file: string): Promise<Reproducer> {
  if (!existsSync(file)) {
    throw new SessionError('no-reproducer', `${file} does not exist`, {
      hint: 'npx nemesis reduce SESSION --scenario ID writes a reproducer',
    })
  }
  return readJson(file, reproducerSchema)
}
