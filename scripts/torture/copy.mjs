import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A copy of the built package with the scripts that exercise faults, so that a build in the meantime changes nothing. */
export function copyPackage() {
  const runs = join(root, 'test/.runs')
  mkdirSync(runs, { recursive: true })
  const directory = mkdtempSync(join(runs, 'torture-'))
  cpSync(process.env['NEMESIS_DIST'] ?? join(root, 'dist'), join(directory, 'dist'), { recursive: true })
  for (const part of ['native', 'package.json', 'scripts', 'test/fixtures/systems']) {
    cpSync(join(root, part), join(directory, part), { recursive: true })
  }
  return {
    directory,
    project: join(directory, 'scripts/torture/project'),
    vitest: join(root, 'node_modules/vitest/vitest.mjs'),
    nemesis: join(directory, 'dist/src/cli/main.js'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}
