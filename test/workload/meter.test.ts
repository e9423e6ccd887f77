import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LoadMeter } from '../../src/workload/meter.js'

const second = 1e9

test('latency counts from the intended start, of ok operations; percentiles are of the values measured', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(10_000), { minLength: 1 }), (latencies) => {
      const meter = new LoadMeter(0)
      for (const ms of latencies) meter.end('ok', { intended: 5e6, at: 5e6 + ms * 1e6 })
      meter.end('unknown', { intended: 0, at: 99 * second })
      const { latency } = meter.load({ endedAt: second, intendedRate: null })
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
  meter.end('ok', { intended: 0, at: 10.5 * second })
  meter.end('failed', { intended: 0, at: 12.2 * second })
  meter.end('unknown', { intended: 0, at: 12.3 * second })
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
  for (let count = 0; count < 10; count++) meter.invoke()
  meter.end('unknown', { intended: 0, at: second })
  expect(meter.load({ endedAt: 4 * second, intendedRate: 3 })).toEqual({
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
