import { z } from 'zod'
import { noneSchema, pathsSchema } from '../../../boundary/matrix.js'
import { DeclarationError } from '../../../errors.js'
import type { ArmSpec } from './arm-spec.js'
import { problemsOf } from '../../../problems.js'

const text = z.string().min(1)

const armSchema = z.strictObject({
  surfaces: z.array(text).min(1, 'expected at least one surface'),
  keys: z.array(text).min(1, 'expected what tells one scope from another'),
  controls: z.array(
    z.looseObject(
      { kind: z.enum(['positive', 'negative']), name: text },
      'expected control.positive(…) or control.negative(…)',
    ),
  ),
  asyncPaths: pathsSchema,
  backgroundPaths: pathsSchema,
  observabilityPaths: pathsSchema,
  confusable: noneSchema.optional(),
  // Checked as those of the scenario that the arm becomes.
  falsifies: z.unknown().optional(),
  model: z.unknown().optional(),
  workload: z.unknown().optional(),
  nemesis: z.unknown().optional(),
  checkers: z.unknown().optional(),
})

export const armsHint =
  "one arm for each surface: arms: { api: { surfaces: ['GET /documents'], keys: ['tenant'], controls: […], … }, export: { … } }"

/** The arms by name, each with what is an arm's own in order. Throws DeclarationError that names what is wrong. */
export function parseArms(where: string, arms: unknown): (readonly [string, ArmSpec])[] {
  const named = z.record(z.string(), z.unknown()).safeParse(arms)
  if (!named.success || Object.keys(named.data).length === 0) {
    throw new DeclarationError('arms', `${where}: arms is empty, or no object`, { hint: armsHint })
  }
  return Object.entries(named.data).map(([arm, own]) => {
    if (!/^[A-Za-z][\w-]*$/.test(arm)) {
      throw new DeclarationError('arms', `${where}: arms: ${JSON.stringify(arm)} is no name of an arm`, {
        hint: "a short name such as 'api': letters, digits, '-' and '_'",
      })
    }
    const parsed = armSchema.safeParse(own)
    if (!parsed.success) {
      throw new DeclarationError('arms', `${where}: arm '${arm}': ${problemsOf(parsed.error)}`, {
        hint: "paths that there are not are written as { none: 'why' }",
      })
    }
    return [arm, own as ArmSpec] as const
  })
}
