// Writes docs/catalog/ from the built package: `npm run build && node scripts/catalog.mjs`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { catalogPages } from '../dist/src/cli/catalog/pages.js'

const directory = new URL('../docs/catalog/', import.meta.url)
rmSync(directory, { recursive: true, force: true })
mkdirSync(directory, { recursive: true })
for (const [file, text] of catalogPages()) writeFileSync(new URL(file, directory), text)
