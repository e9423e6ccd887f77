import { z } from 'zod'
import { problemsOf } from '../../../problems.js'

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
  const parsed = z.object({ logs: rulesSchema }).safeParse({ logs })
  return parsed.success ? [] : [problemsOf(parsed.error)]
}
