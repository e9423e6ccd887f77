import { expect, test } from 'vitest'
import { MemorySystem } from '../../memory-system.js'
import { run, scenarioOn } from '../../running.js'

const long = { smoke: { duration: '60s', nodes: 3, faults: 0, seeds: 1 } } as const

test('a run ends soon after a violation that is seen while it goes on', async () => {
  const { record } = await run(scenarioOn(new MemorySystem(3, { stale: true }), { budget: long }))
  expect(record.ruling.verdict).toBe('FAIL-reproducible')
  for (const { durationMs, notes } of record.runs) {
    expect(durationMs).toBeLessThan(30_000)
    expect(notes.join()).toMatch(/ended after the violation that operations \d+/)
  }
}, 60_000)

test('a body goes on to its own end', async () => {
  const { record } = await run(
    scenarioOn(new MemorySystem(3, { stale: true }), { budget: long }),
    async ({ sleep }) => sleep('3s'),
  )
  expect(record.ruling.verdict).toBe('FAIL-reproducible')
  for (const { durationMs, notes } of record.runs) {
    expect(durationMs).toBeGreaterThanOrEqual(2_990)
    expect(notes).toEqual([])
  }
}, 60_000)
