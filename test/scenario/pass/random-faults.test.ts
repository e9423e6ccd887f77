import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { readHistory } from '../../../src/history/read.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import { seedVariable } from '../../../src/scenario/declaration/seed.js'
import type { RunRecord } from '../../../src/session/record.js'
import { workload } from '../../../src/workload/index.js'
import { MemorySystem, type MemoryClient } from '../memory-system.js'
import { run, scenarioOn } from '../running.js'

afterEach(() => vi.unstubAllEnvs())

const landWithin = '1s'
const faults = nemesis.random({
  kinds: [nemesis('kill', { node: 'random', landWithin }), nemesis('pause', { node: 'random', landWithin })],
  quiet: '20ms',
  for: ['50ms', '150ms'],
})

/** A client at every node, so that every fault is met. */
const traffic = workload<MemoryClient>({
  clients: 5,
  think: '2ms',
  keys: { count: 2 },
  operations: {
    write: { run: ({ client, key, value }) => client.put(key, value) },
    read: { run: ({ client, key }) => client.get(key) },
  },
})

const played = () =>
  run(
    scenarioOn(new MemorySystem(5), {
      workload: traffic,
      nemesis: [faults],
      budget: { smoke: { duration: '3s', nodes: 5, faults: 3, seeds: 1 } },
    }),
  )

/** What was drawn, with the target that each fault got. */
function sequenceOf({ schedule, faults: windows }: RunRecord) {
  return (schedule[0]?.faults ?? []).map(({ fault, afterMs, forMs, id }) => {
    return { fault, afterMs, forMs, target: windows.find((window) => window.id === id)?.target }
  })
}

test('a random schedule is recorded, each fault with its window, its epoch and the recovery from it', async () => {
  const { record, sessionDir } = await played()
  const [first] = record.runs
  if (first === undefined) throw new Error('it did not run')
  expect(first.error).toBeNull()
  expect(first.faults.map(({ cause }) => cause).filter((cause) => cause !== null)).toEqual([])
  expect(first.faults.length).toBeGreaterThanOrEqual(3)
  expect(first.faults.map(({ id }) => id)).toEqual(first.faults.map((_, index) => `F${index + 1}`))
  expect(first.schedule.map(({ declared }) => declared)).toEqual(record.nemesis)
  const fired = first.schedule[0]?.faults ?? []
  expect(fired.map(({ id }) => id)).toEqual(first.faults.map(({ id }) => id))
  // The last may still have been recovering when the workload ended.
  for (const { recoveredMs } of fired.slice(0, -1)) expect(recoveredMs).toBeGreaterThanOrEqual(0)
  expect(record.ruling.verdict).toBe('PASS-smoke')
  const { operations } = await readHistory(join(sessionDir, first.history ?? ''))
  const epochs = new Set(operations.flatMap(({ fault_epoch }) => fault_epoch?.split('+') ?? []))
  expect([...epochs].toSorted()).toEqual(first.faults.map(({ id }) => id).toSorted())
})

test('a replay with the recorded seed draws the same faults, targets and times', async () => {
  const { record } = await played()
  const [original] = record.runs
  if (original === undefined) throw new Error('it did not run')
  vi.stubEnv(seedVariable, String(original.seed))
  const [again] = (await played()).record.runs
  if (again === undefined) throw new Error('it did not run again')
  const [one, other] = [sequenceOf(original), sequenceOf(again)]
  const common = Math.min(one.length, other.length)
  expect(common).toBeGreaterThanOrEqual(3)
  expect(other.slice(0, common)).toEqual(one.slice(0, common))
  vi.stubEnv(seedVariable, String(original.seed + 1))
  const [another] = (await played()).record.runs
  expect(sequenceOf(another ?? original).slice(0, 3)).not.toEqual(one.slice(0, 3))
})

test('what a system lacks for any fault of a plan is said before the workload starts', async () => {
  const partition = nemesis('partition', { isolate: 'random' })
  const plan = nemesis.sequence(nemesis('restart', { node: 'n1' }), nemesis.random({ kinds: [partition] }))
  const { record } = await run(scenarioOn(new MemorySystem(3), { nemesis: [plan] }))
  expect(record.ruling.verdict).toBe('INCONCLUSIVE-env')
  expect(record.runs[0]?.error?.message).toContain('partition needs the capability network')
})

test('a random schedule that has no time for a single fault is not proven', async () => {
  const { record } = await run(scenarioOn(new MemorySystem(3), { nemesis: [faults] }))
  expect(record.ruling.verdict).toBe('INCONCLUSIVE-fault-not-proven')
  expect(record.ruling.reason).toContain('it never fired')
})
