import { join } from 'node:path'
import { expect, test } from 'vitest'
import { linearizable, noLostAck } from '../../../src/checkers/index.js'
import { readCounterexample } from '../../../src/findings/counterexample.js'
import { readHistory } from '../../../src/history/read.js'
import { register } from '../../../src/models/index.js'
import { MemorySystem } from '../memory-system.js'
import { run, scenarioOn } from '../running.js'

/** Long enough on a busy machine; the run ends at the first violation. */
const budget = { smoke: { duration: '5s', nodes: 3, faults: 0, seeds: 1 } } as const

test('the history of a violation is made small, and the smallest part of it is told', async () => {
  const { record, sessionDir } = await run(
    scenarioOn(new MemorySystem(3, { stale: true }), { blame: false, budget }),
  )
  const history = record.reduction?.history
  expect(history?.minimal).toBe(true)
  expect(history?.operations.from).toBeGreaterThan(history?.operations.to ?? 0)
  expect(history?.kept).toHaveLength(history?.operations.to ?? 0)
  const file = join(sessionDir, record.runs[0]!.history as string, '..', 'counterexample.ndjson')
  const { operations } = await readHistory(file)
  expect(operations.map(({ op_id: id }) => String(id))).toEqual(history?.kept)
  const again = await linearizable().check({
    operations,
    model: register(),
    collected: null,
    timeoutMs: 5_000,
  })
  expect(again.valid).toBe(false)
  expect(await readCounterexample(sessionDir, record)).toEqual(operations)
})

test('nothing is made small where nothing was found', async () => {
  const { record } = await run(scenarioOn(new MemorySystem(3)))
  expect(record.reduction).toBeNull()
})

test('a violation that needs what was read from the live system stays as it is', async () => {
  const checkers = [noLostAck({ final: () => Promise.resolve([['k0', 'nothing like it']]) })]
  const { record } = await run(scenarioOn(new MemorySystem(3), { checkers, blame: false }))
  expect(record.runs[0]?.checks.map(({ valid }) => valid)).toEqual([false])
  expect(record.reduction?.history ?? null).toBeNull()
})
