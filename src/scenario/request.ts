import { z } from 'zod'
import { DeclarationError } from '../errors.js'
import { reduceWithinMs } from './reduce/options.js'

/** The environment variable by which the command line asks a worker of Vitest for more than an ordinary run. */
export const requestVariable = 'NEMESIS_REQUEST'

const common = {
  /** Name of the scenario that it is about. */
  scenario: z.string(),
  /** File for the answer: see `Answer`. */
  answer: z.string(),
}

const requestSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('reduce'),
    ...common,
    /** The session that has the violation, absolute. */
    session: z.string(),
    runs: z.int().positive().optional(),
    withinMs: z.number().positive().optional(),
  }),
  z.strictObject({
    kind: z.literal('replay'),
    ...common,
    /** The file, absolute. */
    reproducer: z.string(),
  }),
])
export type Request = z.infer<typeof requestSchema>

/** What is not as it was when the session, or the reproducer, was recorded, in words. */
const changes = z.array(z.string())

/** What the command line learns of its request. */
export const answerSchema = z.discriminatedUnion('kind', [
  /** Whether the violation was seen again, in how many runs. What is left is in the record. */
  z.strictObject({ kind: z.literal('reduced'), seen: z.boolean(), reruns: z.int(), changed: changes }),
  z.strictObject({ kind: z.literal('replayed'), verdict: z.string(), changed: changes }),
  z.strictObject({ kind: z.literal('refused'), message: z.string(), hint: z.string().nullable() }),
])
export type Answer = z.infer<typeof answerSchema>

/** What the command line asks of this scenario; null in an ordinary run. Throws DeclarationError when it is unreadable. */
export function requestFor(scenario: string): Request | null {
  const given = process.env[requestVariable]
  if (given === undefined || given === '') return null
  try {
    const request = requestSchema.parse(JSON.parse(given))
    return request.scenario === scenario ? request : null
  } catch (error) {
    throw new DeclarationError('request', `${requestVariable} is not what the nemesis command writes`, {
      hint: 'unset it; it is for npx nemesis reduce and npx nemesis replay',
      cause: error,
    })
  }
}

/** Milliseconds that the request asks for beyond an ordinary run of this scenario. */
export function requestedMs(scenario: string): number {
  const request = requestFor(scenario)
  return request?.kind === 'reduce'
    ? reduceWithinMs(request.withinMs === undefined ? {} : { within: request.withinMs })
    : 0
}
