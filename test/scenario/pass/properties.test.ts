import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { invariant, linearizable } from '../../../src/checkers/index.js'
import { always, sometimes, unreachable } from '../../../src/properties/assert.js'
import type { ScenarioSpec } from '../../../src/scenario/spec.js'
import { factsOf } from '../../../src/scenario/ruling/facts.js'
import { writeReport } from '../../../src/findings/report.js'
import { workload } from '../../../src/workload/index.js'
import { MemorySystem, type MemoryClient } from '../memory-system.js'
import { sessionInfo } from '../../session/records.js'
import { run, scenarioOn } from '../running.js'

const asserting = (assertion: (value: unknown) => void) =>
  workload<MemoryClient>({
    clients: 2,
    think: '2ms',
    operations: {
      write: { run: ({ client, key, value }) => client.put(key, value) },
      read: {
        run: async ({ client, key }) => {
          const value = await client.get(key)
          assertion(value)
          return value
        },
      },
    },
  })

const on = (changes: Partial<ScenarioSpec<MemoryClient>>) => scenarioOn(new MemorySystem(3), changes)

test('an always that breaks inside an operation is a violation that names the operation', async () => {
  const { record } = await run(
    on({ workload: asserting((value) => always('never written', (value ?? null) === null)) }),
  )
  expect(record.ruling.verdict).toBe('FAIL-reproducible')
  const check = record.runs[0]!.checks.find(({ checker }) => checker === 'properties')
  expect(check).toMatchObject({ valid: false, anomalies: [{ type: 'always-broken' }] })
  expect(check!.anomalies[0]!.operations).toHaveLength(1)
})

test('a place that must not be reached is a violation, also in an invariant', async () => {
  const reaching = invariant<MemoryClient>('fine', {
    holds: () => {
      unreachable('after the end')
      return true
    },
  })
  const { record } = await run(on({ checkers: [linearizable(), reaching] }))
  expect(record.ruling).toMatchObject({
    verdict: 'FAIL-reproducible',
    reason: expect.stringContaining('after the end'),
  })
})

test('a sometimes that never held is a weak oracle, also one that was never reached', async () => {
  const { record, sessionDir } = await run(
    on({ workload: asserting(() => void sometimes('huge', false)), sometimes: ['never reached'] }),
  )
  expect(record.ruling.verdict).toBe('PASS-smoke')
  const unmet = factsOf(record).unmet.map(({ check }) => check)
  expect(unmet.filter((check) => check.startsWith('sometimes '))).toEqual([
    'sometimes "never reached" never held',
    'sometimes "huge" never held',
  ])
  await writeReport(sessionDir, sessionInfo())
  const report = await readFile(join(sessionDir, 'findings', 'report.md'), 'utf8')
  expect(report).toMatch(/S1 +\| sometimes "huge" +\| 0 +\| \d+ +\| weak: never held/)
  expect(report).toMatch(/S1 +\| sometimes "never reached" +\| 0 +\| 0 +\| weak: never evaluated/)
})
