import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { reproducerSchema } from '../../src/findings/reduction/reproducer.js'
import { scenarioRecordSchema, type ScenarioRecord } from '../../src/session/record.js'
import { requires } from '../support/requirements.js'
import { runExample } from './run-example.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const main = join(root, 'dist/src/cli/main.js')

interface SeededBug {
  readonly bug: string
  readonly example: string
  /** Which of its scenarios finds the bug: its name, or the file that has it alone. */
  readonly only?: string
  readonly files?: readonly string[]
  readonly id: string
  /** What finds it. */
  readonly checker: string
  readonly anomalyOf: RegExp
  /** Faults that may be left; on a busy machine some bugs show without. */
  readonly faults: readonly string[]
  readonly needsFault?: boolean
}

const bugs: readonly SeededBug[] = [
  {
    bug: 'a missing quorum: reads from one replica',
    example: 'quorum-register',
    only: 'local_reads',
    id: 'S2',
    checker: 'linearizable',
    anomalyOf: /had been acknowledged|had returned|written before/,
    faults: ['partition'],
  },
  {
    bug: 'a duplicate retry: what is sent again is stored again',
    example: 'seeded-bugs',
    files: ['duplicate-retry'],
    id: 'S2',
    checker: 'no-duplicates',
    anomalyOf: /had come out before/,
    faults: ['latency'],
  },
  {
    bug: 'a leaked tenant in the export path only',
    example: 'tenants',
    only: 'export',
    id: 'S1/export',
    checker: 'linearizable',
    anomalyOf: /./,
    faults: [],
    needsFault: false,
  },
]

/** A FUSE disk forgets what was not synced. */
const onFuse: SeededBug = {
  bug: 'a lost fsync: acknowledged before it is on disk',
  example: 'seeded-bugs',
  files: ['lost-fsync'],
  id: 'S1',
  checker: 'linearizable',
  anomalyOf: /saw the initial value null, although write/,
  faults: ['power-loss'],
  needsFault: true,
}

async function recordIn(session: string, name: string): Promise<ScenarioRecord> {
  const text = await readFile(join(session, 'artifacts', name, 'record.json'), 'utf8')
  return scenarioRecordSchema.parse(JSON.parse(text))
}

/** Runs the command in the example's folder, as its users do. */
function nemesis(example: string, ...args: string[]) {
  return execa('node', [main, ...args], {
    cwd: join(root, 'examples', example),
    env: { VITEST: undefined, VITEST_WORKER_ID: undefined, VITEST_POOL_ID: undefined, NO_COLOR: '1' },
    all: true,
    reject: false,
    timeout: 720_000,
  })
}

async function isFoundBlamedAndReduced(seeded: SeededBug): Promise<void> {
  const { example, id, checker, anomalyOf, faults, needsFault, bug: _, ...part } = seeded
  const { scenario, directory } = await runExample(example, { timeoutMs: 450_000, ...part })
  const found = scenario(id)
  expect(found.ruling).toMatchObject({ verdict: 'FAIL-reproducible' })
  const violated = found.runs[0]!.checks.find(({ valid }) => valid === false)
  expect(violated?.checker).toBe(checker)
  expect(violated?.anomalies[0]?.explanation).toMatch(anomalyOf)
  expect(found.classification).toMatchObject({
    blame: 'SUT',
    ...(needsFault === undefined ? {} : { needsFault }),
  })

  const reduced = await nemesis(example, 'reduce', directory, '--scenario', id, '--runs', '40')
  expect(reduced.exitCode, reduced.all).toBe(0)
  const artifacts = /artifacts\/([^/]+)\//.exec(found.runs[0]!.history ?? '')?.[1] ?? ''
  const { reduction } = await recordIn(directory, artifacts)
  expect(reduction?.rerun?.confirmed.reproduced, reduced.all).toBeGreaterThan(0)
  const file = join(directory, reduction?.reproducer ?? '')
  const reproducer = reproducerSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  expect(reproducer.faults.length).toBeLessThanOrEqual(3)
  for (const { fault } of reproducer.faults) expect(faults).toContain(fault.split(' ')[0])
  expect(reproducer.load.kind, reduced.all).toBe('operations')
  const operations = reproducer.load.kind === 'operations' ? reproducer.load.operations.length : 0
  expect(operations).toBeGreaterThan(0)
  expect(operations).toBeLessThanOrEqual(6)

  const replayed = await nemesis(example, 'replay', directory, '--scenario', id)
  expect(replayed.exitCode, replayed.all).toBe(1)
  const report = /report {2}(\S+)\/findings\/report\.md/.exec(replayed.all)?.[1] ?? ''
  const again = await recordIn(join(root, 'examples', example, report), artifacts)
  expect(again.ruling.verdict).toMatch(/^FAIL-/)
  expect(again.runs[0]?.load?.invoked).toBe(operations)
}

const timeoutMs = 1_800_000

describe('a seeded bug is found, blamed on the system, reduced, and shown again', () => {
  it.each(bugs)('$bug', isFoundBlamedAndReduced, timeoutMs)
})

requires('fuse', 'root')('a seeded bug that takes a disk of its own', () => {
  it.each([onFuse])('$bug', isFoundBlamedAndReduced, timeoutMs)
})
