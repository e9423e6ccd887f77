import { expect, test } from 'vitest'
import type { Operation } from '../../../src/history/operation.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import { nominalOf } from '../../../src/scenario/pass/nominal.js'
import { operation } from '../../checkers/operation.js'
import { MemorySystem } from '../memory-system.js'
import { run, scenarioOn } from '../running.js'

const ms = 1e6
const second = 1_000 * ms

/** One operation every 10 ms, answered after 2 ms, over ten seconds; between 4 s and 6 s none is answered. */
function history(): Operation[] {
  return Array.from({ length: 1_000 }, (_, index) => {
    const invoke_ts = index * 10 * ms
    const down = invoke_ts >= 4 * second && invoke_ts < 6 * second
    return operation({
      op_type: 'read',
      at: [invoke_ts, down ? null : invoke_ts + 2 * ms],
      fault_epoch: down ? 'F1' : null,
    })
  })
}

const windows = [{ injected_ts: 4 * second, healed_ts: 5.5 * second }]
const whole = { operations: history(), startedAt: 0, endedAt: 10 * second }

test('service is measured before the first fault and after the recovery', () => {
  expect(nominalOf({ ...whole, windows, recoveredAt: 6 * second })).toEqual({
    before: { from_ts: 0, to_ts: 4 * second, operations: 400, okShare: 1, rate: 100, p99: 2 },
    after: { from_ts: 6 * second, to_ts: 10 * second, operations: 400, okShare: 1, rate: 100, p99: 2 },
  })
})

test('a system that is not well again shows in the part after', () => {
  const operations = history().map((one) =>
    one.invoke_ts < 8 * second ? one : { ...one, complete_ts: null, timeout_marker: true, error: 'lost' },
  )
  const { after } = nominalOf({ ...whole, operations, windows, recoveredAt: 6 * second })
  expect(after).toMatchObject({ operations: 400, okShare: 0.5, rate: 50 })
})

test('an operation that a fault met does not count as service before it', () => {
  const inFlight = operation({ op_type: 'read', at: [3.999 * second, null], fault_epoch: 'F1' })
  const { before } = nominalOf({
    ...whole,
    operations: [...history(), inFlight],
    windows,
    recoveredAt: null,
  })
  expect(before).toMatchObject({ operations: 400 })
})

test('nobody asked for the recovery: the part after begins with the last heal', () => {
  const { after } = nominalOf({ ...whole, windows, recoveredAt: null })
  expect(after).toMatchObject({ from_ts: 5.5 * second, to_ts: 10 * second })
})

test.each([
  ['no fault', { windows: [] }, { before: { operations: 800 }, after: null }],
  ['a fault at once', { windows: [{ injected_ts: 0, healed_ts: second }] }, { before: null }],
  ['a fault that was never healed', { windows: [{ injected_ts: second, healed_ts: null }] }, { after: null }],
  ['an end right after the recovery', { windows, recoveredAt: 9.95 * second }, { after: null }],
])('%s', (_, changes, expected) => {
  expect(nominalOf(Object.assign({ ...whole, windows, recoveredAt: null }, changes))).toMatchObject(expected)
})

test('nothing at all is answered after the faults', () => {
  const operations = history().filter(({ invoke_ts }) => invoke_ts < 6 * second)
  const { after } = nominalOf({ ...whole, operations, windows, recoveredAt: 6 * second })
  expect(after).toEqual({
    from_ts: 6 * second,
    to_ts: 10 * second,
    operations: 0,
    okShare: 0,
    rate: 0,
    p99: null,
  })
})

test('the workload goes on after the last recovery, about as long as before the first fault', async () => {
  const { record } = await run(
    scenarioOn(new MemorySystem(3), {
      nemesis: [nemesis('kill', { node: 'n1', at: '700ms', for: '100ms' })],
    }),
  )
  const [{ nominal, durationMs, recoveryMs, error, load } = {}] = record.runs
  expect(error).toBeNull()
  const { before, after } = nominal!
  expect(before).toMatchObject({ okShare: 1 })
  expect(after).toMatchObject({ okShare: 1 })
  expect(before!.operations).toBeGreaterThan(10)
  expect(after!.operations).toBeGreaterThan(10)
  const lengthMs = (part: typeof after) => (part!.to_ts - part!.from_ts) / ms
  expect(lengthMs(after)).toBeGreaterThan(lengthMs(before) * 0.8)
  expect(lengthMs(after)).toBeLessThan(2_500)
  // What was served after the recovery is no part of the time to recover.
  expect(recoveryMs! + lengthMs(before) + lengthMs(after)).toBeLessThan(durationMs! + 100)
  expect(load!.slices.at(-1)!.ok).toBeGreaterThan(0)
})

test('without faults it ends in its time', async () => {
  const { record } = await run(scenarioOn(new MemorySystem(3)))
  expect(record.runs[0]).toMatchObject({ nominal: { before: { okShare: 1 }, after: null } })
  expect(record.runs[0]!.load!.slices.at(-1)!.toMs).toBeCloseTo(200, 0)
})

test('a system that is not ready in its time after the faults has not recovered', async () => {
  const memory = new MemorySystem(3)
  let killed = false
  const spec = scenarioOn(memory, { nemesis: [nemesis('kill', { node: 'n1', at: '200ms', for: '100ms' })] })
  const ready = () => {
    killed ||= memory.nodes[0]!.status === 'exited' || memory.nodes[0]!.starts > 1
    return Promise.resolve(!killed || memory.nodes[0]!.starts <= 1)
  }
  const { record } = await run({ ...spec, system: { ...spec.system, spec: { ...spec.system.spec, ready } } })
  expect(record.runs[0]).toMatchObject({ recoveryMs: null })
})
