import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { sessionRecordSchema, type ScenarioRecord, type SessionRecord } from '../../src/session/record.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface ExampleRun {
  readonly exitCode: number | undefined
  /** What Vitest printed, both streams. */
  readonly output: string
  readonly session: SessionRecord
  /** The scenario of that id. Throws when the session has none. */
  scenario(id: string): ScenarioRecord
}

/** Runs an example as its README says and reads the session that it left behind. */
export async function runExample(name: string, options: { timeoutMs: number }): Promise<ExampleRun> {
  const directory = join(root, 'examples', name)
  const before = new Set(await reports(directory))
  const { exitCode, all } = await execa('npx', ['vitest', 'run', '--root', directory], {
    cwd: root,
    all: true,
    reject: false,
    timeout: options.timeoutMs,
    // The child is a Vitest of its own, not a worker of this one.
    env: { VITEST: undefined, VITEST_WORKER_ID: undefined, VITEST_POOL_ID: undefined, NO_COLOR: '1' },
  })
  const written = (await reports(directory)).filter((path) => !before.has(path))
  if (written.length !== 1) throw new Error(`expected one new session, found ${written.length}:\n${all}`)
  const session = sessionRecordSchema.parse(JSON.parse(await readFile(join(directory, written[0]!), 'utf8')))
  return {
    exitCode,
    output: all,
    session,
    scenario: (id) => {
      const found = session.scenarios.find((scenario) => scenario.id === id)
      if (found === undefined) throw new Error(`the session has no scenario ${id}:\n${all}`)
      return found
    },
  }
}

/** Every report of the example's sessions, relative to its directory. */
async function reports(directory: string): Promise<string[]> {
  const files = await readdir(join(directory, 'test-sessions'), { recursive: true }).catch(() => [])
  return files
    .filter((file) => file.endsWith(join('findings', 'report.json')))
    .map((file) => join('test-sessions', file))
}
