import { describe, expect, it } from 'vitest'
import { slo, type SloOptions } from '../../../src/checkers/index.js'
import { DeclarationError } from '../../../src/errors.js'
import { outcomeOf, type Operation } from '../../../src/history/operation.js'
import { randomHistories } from '../../support/random-histories.js'
import { againstDefinition, judged } from '../against-definition.js'
import { call, millisecond, someCalls } from './calls.js'

const p50 = slo({ latency: { percentile: 50, atMost: '10ms' } })

describe('slo', () => {
  it.each([
    ['as slow as promised', [call(0, 10), call(1, 10)], true],
    ['the slow half', [call(0, 10), call(1, 11), call(2, 12)], false],
    ['never answered is slower than anything', [call(0, 1), call(1, null), call(2, null)], false],
    ['a failed call counts by its time', [call(0, 11, { error: 'no' })], false],
    ['no calls', [], 'unknown'],
  ])('latency: %s', async (_, operations, valid) => {
    expect(await judged(p50, operations)).toMatchObject({ valid })
  })

  it('names the slow calls and the measured value', async () => {
    const result = await judged(p50, [call(0, 4), call(10, 25), call(50, 30, { op_id: 7 })])
    expect(result.anomalies).toEqual([
      {
        type: 'latency-objective-missed',
        explanation:
          'p50 of 3 operations is 25 ms, at most 10 ms was promised; 2 were slower, the first call() by process 0 (operation 10+25).',
        operations: ['10+25', 7],
      },
    ])
    expect(result.evidence).toMatchObject({ p50Ms: 25 })
  })

  it('keeps to its window and types, and does not pass without any call there', async () => {
    const during = { fault_epoch: 'F1' }
    const operations = [call(0, 1), call(2, 50, during), call(60, 1), call(62, 90, { op_type: 'other' })]
    const asked = async (options: SloOptions) => (await judged(slo(options), operations)).valid
    const latency = { percentile: 100, atMost: 10 } as const
    expect(await asked({ latency, window: 'before' })).toBe(true)
    expect(await asked({ latency, window: 'fault' })).toBe(false)
    expect(await asked({ latency, window: 'after', types: ['call'] })).toBe(true)
    expect(await asked({ latency, window: 'after' })).toBe(false)
    expect((await judged(slo({ latency, window: 'fault' }), [call(0, 1)])).reason).toContain(
      'was there a fault?',
    )
  })

  const ok = (operations: readonly Operation[]) => operations.filter((one) => outcomeOf(one) === 'ok').length
  it.each<[string, SloOptions, (operations: readonly Operation[]) => boolean | null]>([
    [
      'latency',
      { latency: { percentile: 75, atMost: 12 } },
      // At least three quarters of them took no longer than 12 ms.
      (operations) =>
        operations.filter(
          (one) => one.complete_ts !== null && one.complete_ts - one.invoke_ts <= 12 * millisecond,
        ).length >=
        0.75 * operations.length,
    ],
    [
      'errors',
      { errors: { atMost: 0.25 } },
      (operations) => operations.length - ok(operations) <= 0.25 * operations.length,
    ],
    [
      'throughput',
      { throughput: { atLeast: '80/s' } },
      (operations) => {
        const times = operations.flatMap((one) => [one.invoke_ts, one.complete_ts ?? one.invoke_ts])
        const span = Math.max(...times) - Math.min(...times)
        return span === 0 ? null : ok(operations) / (span / 1e9) >= 80
      },
    ],
  ])('%s agrees with the definition', async (_, options, isValid) => {
    await againstDefinition(slo(options), {
      histories: someCalls,
      runs: randomHistories(2_000, 3),
      isValid,
      cores: false,
    })
  })

  it.each([
    [{}, 'latency, throughput or errors'],
    [{ latency: { percentile: 0, atMost: 1 } }, 'percentile'],
    [{ errors: { atMost: 2 } }, 'errors.atMost'],
    [{ latency: { percentile: 99, atMost: 'soon' } }, 'slo.latency.atMost'],
  ])('refuses %j', (options, words) => {
    expect(() => slo(options as SloOptions)).toThrow(DeclarationError)
    expect(() => slo(options as SloOptions)).toThrow(words)
  })
})
