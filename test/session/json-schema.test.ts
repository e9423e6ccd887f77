import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { reportJsonSchema } from '../../src/session/json-schema.js'

it('the published schema is that of the records', async () => {
  const file = new URL('../../schema/report.schema.json', import.meta.url)
  const published: unknown = JSON.parse(await readFile(file, 'utf8'))
  expect(published, 'run `npm run build && node scripts/schema.mjs`').toEqual(reportJsonSchema())
})
