import { expect, test } from 'vitest'
import { baseline } from '../../../src/checkers/index.js'
import { claim } from '../../../src/claim/declare.js'
import { MemorySystem } from '../memory-system.js'
import { run, scenarioOn } from '../running.js'

const fast = claim('C9', 'It is as fast as before', { categories: ['performance-slo'] })
const budget = { smoke: { duration: '200ms', nodes: 3, faults: 0, seeds: 3 } } as const

const comparedWith = (latency: number) => {
  const checkers = [
    baseline({ metric: { latency: 50 }, baseline: [latency, latency, latency], tolerance: 0.5 }),
  ]
  return run(scenarioOn(new MemorySystem(3), { falsifies: [fast], checkers, budget }))
}

test('all seeds together are compared with a baseline', async () => {
  const { record } = await comparedWith(1_000)
  expect(record.runs).toHaveLength(3)
  expect(record.across).toMatchObject([{ checker: 'baseline', valid: true, evidence: { runs: 3 } }])
  expect(record.ruling.verdict).toBe('PASS-smoke')
})

test('what only all of them show is a violation', async () => {
  const { record } = await comparedWith(0.000_1)
  expect(record.across).toMatchObject([{ checker: 'baseline', valid: false }])
  expect(record.ruling).toMatchObject({
    verdict: 'FAIL-nondeterministic',
    reason: expect.stringContaining('of the baseline'),
  })
})
