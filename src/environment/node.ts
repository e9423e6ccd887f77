import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Probe } from './probe.js'

const nodeMajor = 20
const vitestFrom = [4, 1] as const

/** The Node.js that runs this. */
export const node: Probe = async () => ({
  name: 'node',
  present: Number(process.versions.node.split('.')[0]) >= nodeMajor,
  detail: process.version,
  blocks: 'everything',
  install: `Node.js ${nodeMajor} or later`,
})

/** The Vitest of the project. */
export const vitest: Probe = async ({ cwd }) => {
  const version = await installedVersion('vitest', cwd)
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number)
  const [leastMajor, leastMinor] = vitestFrom
  return {
    name: 'vitest',
    present: major > leastMajor || (major === leastMajor && minor >= leastMinor),
    detail: version ?? 'not installed in this project',
    blocks: 'scenarios; checking and reporting recorded histories work without it',
    install: 'npm i -D vitest',
  }
}

/** The client of the Docker engine, an optional peer dependency. */
export const dockerode: Probe = async ({ cwd }) => {
  const version = await installedVersion('dockerode', cwd)
  return {
    name: 'dockerode',
    present: version !== null,
    detail: version ?? 'not installed in this project',
    blocks: 'docker() systems',
    install: 'npm i -D dockerode',
  }
}

/** The version of a package as the project at `cwd` sees it; null when it does not. */
async function installedVersion(name: string, cwd: string): Promise<string | null> {
  const directories = createRequire(join(cwd, 'package.json')).resolve.paths(name) ?? []
  for (const directory of directories) {
    try {
      const text = await readFile(join(directory, name, 'package.json'), 'utf8')
      return (JSON.parse(text) as { version: string }).version
    } catch {
      // Not in this directory; the next one up may have it.
    }
  }
  return null
}
