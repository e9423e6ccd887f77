import { z } from 'zod'
import { sessionRecordSchema } from './record.js'

/** The JSON Schema (draft 2020-12) of `findings/report.json`, as published in `schema/report.schema.json`. */
export function reportJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(sessionRecordSchema)
  return { $schema, title: 'vitest-nemesis report', ...schema }
}
