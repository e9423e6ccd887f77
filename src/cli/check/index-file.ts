import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { DeclarationError, messageOf } from '../../errors.js'
import { jsonSchema } from '../../json.js'
import { assertionSchema, translated } from './asserted.js'

const answerSchema = z.union([z.boolean(), z.literal('unknown')])
export type Answer = z.infer<typeof answerSchema>

/** One history of a corpus, with the right answers by checker or level. Fields for people are ignored. */
const indexedHistorySchema = z.object({
  name: z.string(),
  /** Relative to the index. */
  file: z.string(),
  model: z.string().optional(),
  kind: z.string().optional(),
  options: z
    .object({
      init: jsonSchema.optional(),
      nullRead: z.enum(['absent', 'unknown']).optional(),
      failed: z.enum(['ignored', 'observed']).optional(),
      /** Whether the events of one process are in the order in which it did them. */
      sessionOrder: z.boolean().optional(),
      /** Whether the order of events across processes means anything. */
      realtime: z.boolean().optional(),
      /** Parameters of the checker, such as thresholds. */
      params: z.record(z.string(), jsonSchema).optional(),
    })
    .optional(),
  expect: z.record(z.string(), z.union([answerSchema, z.array(answerSchema)])).optional(),
})
export type IndexedHistory = z.infer<typeof indexedHistorySchema>

const indexSchema = z.object({
  histories: z.array(
    indexedHistorySchema.extend({
      /** In place of `expect`, in indexes of elle-cli: what they assert; passed over where it is something else. */
      expected: z.unknown().optional(),
    }),
  ),
})

/**
 * Reads the index of a corpus, with one entry for each assertion where the index asserts answers of other models.
 * Throws DeclarationError that names the file and what is wrong with it.
 */
export async function readIndex(file: string): Promise<readonly IndexedHistory[]> {
  let content: unknown
  try {
    content = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new DeclarationError('index', `${file}: cannot be read as JSON (${messageOf(error)})`, {
      cause: error,
    })
  }
  const parsed = indexSchema.safeParse(content)
  if (parsed.success) {
    return parsed.data.histories.flatMap(({ expected, ...history }): IndexedHistory[] => {
      const asserted = z.array(assertionSchema).safeParse(expected).data ?? []
      if (history.expect !== undefined || asserted.length === 0) return [history]
      return asserted.map((one) => ({ name: history.name, file: history.file, ...translated(one) }))
    })
  }
  const [issue] = parsed.error.issues
  throw new DeclarationError('index', `${file}: ${issue?.path.join('.') || 'top level'}: ${issue?.message}`, {
    hint: 'an index is { "histories": [{ "name", "file", "model", "options", "expect" }] }',
  })
}
