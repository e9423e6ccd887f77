import { existsSync } from 'node:fs'
import { appendFile, cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reproducerSchema } from '../../src/findings/reduction/reproducer.js'
import { scenarioRecordSchema, type ScenarioRecord } from '../../src/session/record.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const main = join(root, 'dist/src/cli/main.js')
const name = 'local_reads_are_linearizable_under_partition'
// The child is a Vitest of its own, not a worker of this one.
const env = { VITEST: undefined, VITEST_WORKER_ID: undefined, VITEST_POOL_ID: undefined, NO_COLOR: '1' }

/** The example with the seeded bug, in a folder of its own, with this package as its dependency. */
let project: string
let session: string

const nemesis = (...args: string[]) =>
  execa('node', [main, ...args], { cwd: project, env, all: true, reject: false, timeout: 580_000 })

async function sessions(): Promise<string[]> {
  const folder = join(project, 'test-sessions/quorum-register')
  const found = existsSync(folder) ? await readdir(folder) : []
  return found.toSorted().map((one) => join(folder, one))
}

async function recordIn(directory: string): Promise<ScenarioRecord> {
  const text = await readFile(join(directory, 'artifacts', name, 'record.json'), 'utf8')
  return scenarioRecordSchema.parse(JSON.parse(text))
}

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nemesis-reduce-'))
  project = join(folder, 'quorum-register')
  const example = join(root, 'examples/quorum-register')
  await cp(example, project, {
    recursive: true,
    filter: (path) => !/test-sessions|node_modules/.test(path.slice(example.length)),
  })
  await mkdir(join(project, 'node_modules'))
  for (const dependency of ['.bin', '@types', 'vitest', 'vite']) {
    await symlink(join(root, 'node_modules', dependency), join(project, 'node_modules', dependency))
  }
  await symlink(root, join(project, 'node_modules/vitest-nemesis'))
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  const { compilerOptions } = JSON.parse(await readFile(join(root, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: object
  }
  const tsconfig = { compilerOptions, include: ['quorum.scenario.ts'] }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(tsconfig))
  const { all } = await execa('npx', ['vitest', 'run', '-t', name], {
    ...{ cwd: project, env, all: true, reject: false, timeout: 280_000 },
  })
  const [made] = await sessions()
  if (made === undefined) throw new Error(all)
  session = made
}, 300_000)

afterAll(async () => {
  if (project !== undefined) await rm(join(project, '..'), { recursive: true, force: true })
})

describe('a seeded bug of the quorum register: reads from one replica', () => {
  it('is reduced to at most 3 fault events and 6 operations', { timeout: 1_200_000 }, async () => {
    expect((await recordIn(session)).ruling.verdict).toBe('FAIL-reproducible')
    const { exitCode, all } = await nemesis('reduce', session, '--scenario', 'S2', '--runs', '30')
    expect(exitCode, all).toBe(0)
    const { reduction, runs } = await recordIn(session)
    expect(reduction?.rerun?.events.to).toBe(1)
    expect(reduction?.rerun?.operations.to).toBeLessThanOrEqual(6)
    expect(reduction?.rerun?.confirmed.reproduced).toBeGreaterThan(0)
    expect(all).toMatch(/1 -> 1 fault event, \d+ -> \d operations over \d+ re-runs; seen in \d of 3 more/)
    // The candidates made no session of their own and left no files but those of the run that is kept.
    expect(await sessions()).toHaveLength(1)
    const kept = runs.filter((run) => run.name.startsWith('reduce-')).map((run) => run.name)
    const files = await readdir(join(session, 'artifacts', name))
    expect(files.filter((file) => file.startsWith('reduce-'))).toEqual(kept)
    expect(await readFile(join(session, 'findings/report.md'), 'utf8')).toContain('Reduced by re-runs')
  })

  it(
    'is shown again by its reproducer, from the session and from a copy',
    { timeout: 1_200_000 },
    async () => {
      const { reduction } = await recordIn(session)
      const file = join(session, reduction?.reproducer ?? '')
      const { load, faults } = reproducerSchema.parse(JSON.parse(await readFile(file, 'utf8')))
      const operations = load.kind === 'operations' ? load.operations.length : 0
      expect([faults.length, operations > 0 && operations <= 6]).toEqual([1, true])
      await cp(file, join(project, 'stale-read.json'))
      for (const args of [[session, '--scenario', 'S2'], [join(project, 'stale-read.json')]]) {
        const before = await sessions()
        const { exitCode, all } = await nemesis('replay', ...args)
        expect(exitCode, all).toBe(1)
        const [made] = (await sessions()).filter((one) => !before.includes(one))
        const again = await recordIn(made ?? '')
        expect(again.ruling.verdict).toMatch(/^FAIL-/)
        expect(again.runs.every((run) => run.load?.invoked === operations)).toBe(true)
      }
    },
  )

  it('is shown again by the code, pasted below the scenario', { timeout: 600_000 }, async () => {
    const { reduction } = await recordIn(session)
    const snippet = await readFile(join(session, reduction?.snippet ?? ''), 'utf8')
    await appendFile(join(project, 'quorum.scenario.ts'), `\n${snippet}`)
    const { all } = await execa('npx', ['vitest', 'run', '-t', 'reduced'], {
      ...{ cwd: project, env, all: true, reject: false, timeout: 280_000 },
    })
    expect(all).toMatch(/nemesis {2}FAIL-reproducible {2}local_reads\S+, reduced/)
    const { stdout } = await execa('npx', ['tsc', '-p', '.'], {
      ...{ cwd: project, reject: false, timeout: 280_000 },
    })
    expect(stdout).toBe('')
  })

  it(
    'is not reduced where there is no violation, no such scenario, or no project',
    { timeout: 600_000 },
    async () => {
      const lines = async (...args: string[]) => {
        const { exitCode, all } = await nemesis(...args)
        expect(exitCode, all).toBe(2)
        expect(all.trim().split('\n')).toHaveLength(1)
        return all
      }
      expect(await lines('reduce', session, '--scenario', 'S1')).toContain(
        'S1 is NOT-RUN: there is no violation',
      )
      expect(await lines('reduce', session, '--scenario', 'S8')).toContain("has no scenario 'S8'")
      expect(await lines('reduce', session, '--scenario', 'S2', '--runs', '0')).toContain('--runs')
      expect(await lines('reduce', session, '--scenario', 'S2', '--within', 'soon')).toContain('--within')
      expect(await lines('replay', session)).toContain('--scenario')
      expect(await lines('replay', session, '--scenario', 'S2', '--seed', 'soon')).toContain('--seed soon')
      const moved = await mkdtemp(join(tmpdir(), 'nemesis-moved-'))
      await cp(session, join(moved, 'session'), { recursive: true })
      expect(await lines('reduce', join(moved, 'session'), '--scenario', 'S2')).toContain(
        'in no folder above',
      )
      expect(await lines('replay', join(moved, 'session'), '--scenario', 'S2')).toContain(
        'in no folder above',
      )
      await rm(moved, { recursive: true, force: true })
    },
  )

  it('is said to have changed when it has, and to be gone when it is', { timeout: 1_200_000 }, async () => {
    const file = join(project, 'quorum.scenario.ts')
    const source = await readFile(file, 'utf8')
    await writeFile(file, source.replaceAll(/clients: \d+/g, 'clients: 7'))
    const changed = await nemesis('replay', session, '--scenario', 'S2')
    expect(changed.all).toMatch(/the scenario has changed since \S+: what drives and judges it/)
    await writeFile(file, source.replaceAll(name, 'another_name'))
    const gone = await nemesis('replay', session, '--scenario', 'S2', '--full')
    expect(gone.exitCode, gone.all).toBe(2)
    expect(gone.all).toContain(`left no record of '${name}'`)
    await writeFile(file, source)
  })
})
