// Writes schema/report.schema.json from the built package: `npm run build && node scripts/schema.mjs`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { reportJsonSchema } from '../dist/src/session/json-schema.js'

const file = new URL('../schema/report.schema.json', import.meta.url)
mkdirSync(new URL('.', file), { recursive: true })
writeFileSync(file, `${JSON.stringify(reportJsonSchema(), null, 2)}\n`)
