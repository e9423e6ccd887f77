import { readFile } from 'node:fs/promises'
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
  /** Its directory. */
  readonly directory: string
  /** The scenario of that id. Throws when the session has none. */
  scenario(id: string): ScenarioRecord
}

/**
 * Runs an example as its README says, or some of its files, or those of its scenarios whose name has `only` in it, and
 * reads the session that it left behind.
 */
export async function runExample(
  name: string,
  options: { timeoutMs: number; env?: Record<string, string>; files?: readonly string[]; only?: string },
): Promise<ExampleRun> {
  const directory = join(root, 'examples', name)
  const { exitCode, all } = await execa(
    'npx',
    [
      ...['vitest', 'run', '--root', directory, ...(options.files ?? [])],
      ...(options.only === undefined ? [] : ['-t', options.only]),
    ],
    {
      cwd: root,
      all: true,
      reject: false,
      timeout: options.timeoutMs,
      // The child is a Vitest of its own, not a worker of this one.
      env: {
        VITEST: undefined,
        VITEST_WORKER_ID: undefined,
        VITEST_POOL_ID: undefined,
        NO_COLOR: '1',
        ...options.env,
      },
    },
  )
  // The example's folder may hold sessions of others, even of one that runs right now: this one names its own.
  const report = /report {2}(\S+)\.md/.exec(all)?.[1]
  if (report === undefined) throw new Error(`the run names no report:\n${all}`)
  const session = sessionRecordSchema.parse(JSON.parse(await readFile(join(root, `${report}.json`), 'utf8')))
  return {
    exitCode,
    output: all,
    session,
    directory: join(root, report, '../..'),
    scenario: (id) => {
      const found = session.scenarios.find((scenario) => scenario.id === id)
      if (found === undefined) throw new Error(`the session has no scenario ${id}:\n${all}`)
      return found
    },
  }
}
