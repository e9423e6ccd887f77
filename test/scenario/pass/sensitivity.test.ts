import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { linearizable, noLostAck } from '../../../src/checkers/index.js'
import type { Checker } from '../../../src/checkers/checker.js'
import { writeReport } from '../../../src/findings/report.js'
import type { ScenarioSpec } from '../../../src/scenario/spec.js'
import { sessionInfo } from '../../session/records.js'
import { MemorySystem, type MemoryClient } from '../memory-system.js'
import { run, scenarioOn } from '../running.js'

const on = (changes: Partial<ScenarioSpec<MemoryClient>>) => scenarioOn(new MemorySystem(3), changes)

/** Judges all writes, and every second read. */
function halfBlind(): Checker {
  const real = linearizable()
  return {
    ...real,
    name: 'half-blind',
    misfit: () => null,
    check: async (input) => {
      const seen = input.operations.filter(
        ({ op_type: type, op_id: id }) => type !== 'read' || Number(id) % 2 === 0,
      )
      return { ...(await real.check({ ...input, operations: seen })), checker: 'half-blind' }
    },
  }
}

/** Finds every history in order. */
function blind(): Checker {
  return {
    ...halfBlind(),
    name: 'blind',
    check: ({ operations, model }) =>
      Promise.resolve({
        checker: 'blind',
        model: model?.name ?? null,
        valid: true,
        reason: null,
        operations: operations.length,
        coverage: 'all',
        evidence: { operations: operations.length },
        anomalies: [],
        scope: [],
        ms: 1,
      }),
  }
}

test('a checker that accepts everything is too weak, and the report says what it did not notice', async () => {
  const { record, sessionDir } = await run(on({ checkers: [blind()] }))
  expect(record.ruling).toMatchObject({
    verdict: 'INCONCLUSIVE-oracle-too-weak',
    row: 6,
    reason: expect.stringMatching(/^The oracle is too weak to tell: blind noticed only 0 of 20 violations/),
  })
  await writeReport(sessionDir, sessionInfo({}))
  const report = await readFile(join(sessionDir, 'findings/report.md'), 'utf8')
  expect(report).toMatch(/\| S1 +\| blind +\| 0 of 20 mutants \(0%\)/)
  expect(report).toContain('S1 blind did not notice (')
})

test('so is one that is not asked by a serious claim', async () => {
  const claim = { ...on({}).falsifies[0]!, categories: ['liveness' as const] }
  const { record } = await run(on({ checkers: [blind()], falsifies: [claim] }))
  expect(record.serious).toBe(false)
  expect(record.ruling.verdict).toBe('INCONCLUSIVE-oracle-too-weak')
})

test('a checker that looks at every second read only is too weak', async () => {
  const { record } = await run(on({ checkers: [halfBlind()] }))
  expect(record.ruling.verdict).toBe('INCONCLUSIVE-oracle-too-weak')
  const { mutants, killed } = record.runs[0]!.sensitivity[0]!
  expect(mutants).toBe(20)
  expect(killed).toBeGreaterThan(0)
})

test('the checkers of this package notice', async () => {
  const final = ({ client, key }: { client: MemoryClient; key: string | number | null }) =>
    client.get(String(key))
  const claim = { ...on({}).falsifies[0]!, categories: ['safety' as const, 'durability' as const] }
  const checkers = [linearizable(), noLostAck<MemoryClient>({ final })]
  const { record } = await run(on({ checkers, falsifies: [claim] }))
  expect(record.ruling.verdict).toBe('PASS-smoke')
  const [ofOrder, ofEnd] = record.runs[0]!.sensitivity
  expect(ofOrder).toMatchObject({ checker: 'linearizable', mutants: 20, killed: 20, survivors: [] })
  expect(ofEnd).toMatchObject({ checker: 'no-lost-ack', survivors: [] })
  expect(ofEnd!.killed).toBeGreaterThan(0)
})

test('the number of mutants and the floor are the scenario’s, and it may have none', async () => {
  const some = await run(on({ checkers: [blind()], sensitivity: { mutants: 4, floor: 0 } }))
  expect(some.record.ruling.verdict).toBe('PASS-smoke')
  expect(some.record.runs[0]!.sensitivity).toMatchObject([{ mutants: 4, killed: 0, floor: 0 }])
  const none = await run(on({ checkers: [blind()], sensitivity: false }))
  expect(none.record.ruling.verdict).toBe('PASS-smoke')
  expect(none.record.runs[0]!.sensitivity).toEqual([])
})

test('a violation wins over an oracle that is too weak', async () => {
  const stale = scenarioOn(new MemorySystem(3, { stale: true }), { checkers: [linearizable(), blind()] })
  const { record } = await run(stale)
  expect(record.ruling.verdict).toBe('FAIL-reproducible')
  expect(record.runs.flatMap(({ sensitivity }) => sensitivity)).toEqual([])
})
