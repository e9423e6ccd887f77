import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Outcome } from '../../src/history/operation.js'
import { LoadMeter } from '../../src/workload/meter.js'

const second = 1e9

/** One operation that starts when it is intended. */
function measure(meter: LoadMeter, outcome: Outcome, { intended, at }: { intended: number; at: number }) {
  meter.end(meter.invoke({ intended, invoked: intended }), outcome, at)
}

test('latency counts from the intended start, of ok operations; percentiles are of the values measured', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(10_000), { minLength: 1 }), (latencies) => {
      const meter = new LoadMeter(0)
      for (const ms of latencies) measure(meter, 'ok', { intended: 5e6, at: 5e6 + ms * 1e6 })
      measure(meter, 'unknown', { intended: 0, at: 99 * second })
      const { latency } = meter.load({ endedAt: second, intendedRate: null, unstarted: [] })
      for (const [name, share] of [
        ['p50', 0.5],
        ['p90', 0.9],
        ['p99', 0.99],
        ['max', 1],
      ] as const) {
        const within = latencies.filter((ms) => ms <= latency![name]).length
        expect(latencies).toContain(latency![name])
        expect(within / latencies.length).toBeGreaterThanOrEqual(share)
        const below = latencies.filter((ms) => ms < latency![name]).length
        expect(below / latencies.length).toBeLessThan(share)
      }
    }),
  )
})

test('throughput has an entry for every second, also for those in which nothing ended', () => {
  const meter = new LoadMeter(10 * second)
  measure(meter, 'ok', { intended: 0, at: 10.5 * second })
  measure(meter, 'failed', { intended: 0, at: 12.2 * second })
  measure(meter, 'unknown', { intended: 0, at: 12.3 * second })
  expect(meter.throughput(15 * second)).toEqual([
    { ok: 1, failed: 0, unknown: 0 },
    { ok: 0, failed: 0, unknown: 0 },
    { ok: 0, failed: 1, unknown: 1 },
    { ok: 0, failed: 0, unknown: 0 },
    { ok: 0, failed: 0, unknown: 0 },
  ])
})

test('the load of a phase', () => {
  const meter = new LoadMeter(0)
  for (let count = 0; count < 9; count++) meter.invoke({ intended: 0, invoked: 0 })
  measure(meter, 'unknown', { intended: 0, at: second })
  expect(meter.load({ endedAt: 4 * second, intendedRate: 3, unstarted: [] })).toMatchObject({
    loop: 'open',
    intendedRate: 3,
    invoked: 10,
    ok: 0,
    failed: 0,
    unknown: 1,
    rate: 2.5,
    latency: null,
  })
})

test('slices show a load that was meant to go on and did not', () => {
  const meter = new LoadMeter(second)
  const at = (ms: number) => second + ms * 1e6
  // Ten operations a second for two seconds; from 1 s on the only client waits for an answer.
  for (let ms = 0; ms < 1_000; ms += 100) measure(meter, 'ok', { intended: at(ms + 50), at: at(ms + 60) })
  meter.end(meter.invoke({ intended: at(1_050), invoked: at(1_060) }), 'unknown', at(2_060))
  const unstarted = Array.from({ length: 9 }, (_, index) => at(1_150 + index * 100))
  const { slices } = meter.load({ endedAt: at(2_000), intendedRate: 10, unstarted })
  expect(slices).toHaveLength(20)
  expect(slices.map(({ intended }) => intended)).toEqual(Array(20).fill(1))
  expect(slices.map(({ invoked }) => invoked)).toEqual([...Array(11).fill(1), ...Array(9).fill(0)])
  expect(slices[0]).toEqual({ fromMs: 0, toMs: 100, intended: 1, invoked: 1, ok: 1, failed: 0, unknown: 0 })
  expect(slices[10]).toMatchObject({ fromMs: 1_000, toMs: 1_100, ok: 0, unknown: 1 })
})

test('slices are equal, 20 at most, 100 ms at least, and hold every operation once', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 30_000 }),
      fc.array(fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), late: fc.nat(2_000) })),
      (lengthMs, operations) => {
        const meter = new LoadMeter(0)
        for (const { at, late } of operations) {
          const intended = at * lengthMs * 1e6
          meter.end(meter.invoke({ intended, invoked: intended + late * 1e6 }), 'ok', 0)
        }
        const { slices } = meter.load({ endedAt: lengthMs * 1e6, intendedRate: 5, unstarted: [0] })
        const sum = (field: 'intended' | 'invoked' | 'ok') =>
          slices.reduce((total, slice) => total + (slice[field] ?? 0), 0)
        expect(slices.length).toBeLessThanOrEqual(20)
        expect(slices.at(-1)!.toMs).toBeCloseTo(lengthMs)
        if (slices.length > 1) expect(slices[0]!.toMs).toBeGreaterThanOrEqual(100)
        expect([sum('intended'), sum('invoked'), sum('ok')]).toEqual([
          operations.length + 1,
          operations.length,
          operations.length,
        ])
      },
    ),
  )
})

test('a closed loop intends nothing', () => {
  const meter = new LoadMeter(0)
  measure(meter, 'ok', { intended: 0, at: 5 })
  const { slices } = meter.load({ endedAt: second / 20, intendedRate: null, unstarted: [] })
  expect(slices).toEqual([{ fromMs: 0, toMs: 50, intended: null, invoked: 1, ok: 1, failed: 0, unknown: 0 }])
})
