import { expect, test } from 'vitest'
import { linearizable, sessionConsistency } from '../../../src/checkers/index.js'
import { session } from '../../../src/models/index.js'
import { MemorySystem } from '../../scenario/memory-system.js'
import { run, scenarioOn } from '../../scenario/running.js'

test('a linearizability checker does not carry a session claim, and the verdict names what does', async () => {
  const spec = scenarioOn(new MemorySystem(3), { model: session(), checkers: [linearizable()] })
  const { record } = await run(spec)
  expect(record.runs[0]!.checks.map(({ checker, valid }) => [checker, valid])).toEqual([
    ['linearizable', true],
  ])
  expect(record.ruling).toMatchObject({ verdict: 'INCONCLUSIVE-oracle-too-weak', row: 6 })
  expect(record.ruling.reason).toContain(
    'linearizable does not falsify claims about safety on the model session; use session-consistency or monotonic-reads',
  )
})

test('the checker that it names does', async () => {
  const spec = scenarioOn(new MemorySystem(3), { model: session(), checkers: [sessionConsistency()] })
  const { record } = await run(spec)
  expect(record.ruling.verdict).toBe('PASS-smoke')
  expect(record.runs[0]!.checks[0]!.evidence['obligations']).toBeGreaterThan(10)
})
