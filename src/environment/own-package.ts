import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// A package can refer to itself by name, from its sources as from what is built of them.
const manifest = createRequire(import.meta.url).resolve('vitest-nemesis/package.json')

/** The version of this package. */
export function ownVersion(): string {
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

/** A file that ships with this package, by its path in it. */
export function ownFile(path: string): string {
  return join(dirname(manifest), path)
}
