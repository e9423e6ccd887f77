import { z } from 'zod'

const patternSchema = z
  .custom<RegExp>(
    // Not instanceof: a test file may have a realm of its own.
    (value) => Object.prototype.toString.call(value) === '[object RegExp]',
    'expected a regular expression',
  )
  .refine((pattern) => !new RegExp(pattern.source, pattern.flags).test(''), 'it matches an empty line')

const rulesSchema = z.strictObject({
  alarming: z.array(patternSchema).optional(),
  ignored: z
    .array(z.strictObject({ pattern: patternSchema, because: z.string().min(1, 'expected a reason') }))
    .optional(),
})

/** What is wrong with `logs` of a system, by its path; empty when nothing is. */
export function logProblems(logs: unknown): string[] {
  const parsed = rulesSchema.safeParse(logs)
  if (parsed.success) return []
  return parsed.error.issues.map(({ path, message }) => `\`${['logs', ...path].join('.')}\`: ${message}`)
}
