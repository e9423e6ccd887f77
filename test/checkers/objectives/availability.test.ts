import { describe, expect, it } from 'vitest'
import { availability, type AvailabilityOptions } from '../../../src/checkers/index.js'
import { DeclarationError } from '../../../src/errors.js'
import type { FaultSpan } from '../../../src/history/fault-span.js'
import { outcomeOf, type Operation } from '../../../src/history/operation.js'
import { randomHistories } from '../../support/random-histories.js'
import { againstDefinition } from '../against-definition.js'
import { call, millisecond, someCalls } from './calls.js'

const span = (start: number, end: number | null, epoch = 'F1'): FaultSpan => ({
  epoch,
  name: 'kill n1',
  start: start * millisecond,
  end: end === null ? null : end * millisecond,
})

const judge = (
  options: AvailabilityOptions,
  operations: readonly Operation[],
  faults: readonly FaultSpan[] = [],
) => availability(options).check({ operations, faults, model: null, collected: null, timeoutMs: 1_000 })

const bad = (at: number) => call(at, 1, { error: 'refused', op_id: at })
const good = (at: number) => call(at, 1, { op_id: at })
const every = (from: number, to: number, step = 10) =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => good(from + index * step))

describe('availability', () => {
  it.each([
    ['well at once', [...every(100, 400)], true],
    ['well in time', [bad(100), bad(120), ...every(130, 400)], true],
    ['bad for too long', [bad(100), bad(160), ...every(170, 400)], false],
    ['bad to the end, too late', [bad(100), bad(151)], false],
    ['bad to the end, but not yet too late', [bad(100), bad(149)], 'unknown'],
    ['nothing after the heal', every(0, 90), 'unknown'],
    ['a hiccup after it was steady is another matter', [...every(100, 250), bad(260)], true],
    ['in flight at the heal does not count', [bad(90), ...every(100, 400)], true],
  ])('recovery: %s', async (_, operations, valid) => {
    const options = { recoverWithin: '50ms', steady: '100ms' } as const
    expect(await judge(options, operations, [span(50, 100)])).toMatchObject({ valid })
  })

  it('tells the last bad operation and when it was well', async () => {
    const { anomalies, evidence } = await judge(
      { recoverWithin: '50ms', steady: '100ms' },
      [bad(100), bad(160), ...every(170, 400)],
      [span(50, 100)],
    )
    expect(anomalies).toEqual([
      {
        type: 'late-recovery',
        explanation:
          '60 ms after kill n1 (F1) was healed, call() by process 0 (operation 160) still ended with refused; it was steady 70 ms after the heal, at most 50 ms was promised.',
        operations: [160],
      },
    ])
    expect(evidence).toMatchObject({ recoveries: 1, slowestRecoveryMs: 70 })
  })

  it('does not blame a fault for what the next one did', async () => {
    const options = { recoverWithin: '50ms', steady: '100ms' } as const
    const faults = [span(50, 100), span(140, 300, 'F2')]
    const operations = [...every(100, 140), bad(200), ...every(300, 500)]
    const result = await judge(options, operations, faults)
    expect(result.valid).toBe('unknown')
    expect(result.reason).toContain('F1')
  })

  it('without a fault there was nothing to recover from', async () => {
    expect(await judge({ recoverWithin: '1s' }, every(0, 100))).toMatchObject({ valid: 'unknown' })
  })

  it('the share of acknowledged operations agrees with the definition', async () => {
    const during = (operations: readonly Operation[]) =>
      operations.filter(({ fault_epoch }) => fault_epoch !== null)
    const isValid = (operations: readonly Operation[]) =>
      during(operations).filter((one) => outcomeOf(one) === 'ok').length >= 0.75 * during(operations).length
    await againstDefinition(availability({ atLeast: 0.75, window: 'fault' }), {
      histories: someCalls,
      runs: randomHistories(2_000, 2),
      isValid,
      cores: false,
    })
  })

  it('recovery agrees with the definition', async () => {
    const steady = 10
    const within = 15
    const fault = span(5, 12)
    const checker = availability({ recoverWithin: within, steady })
    const onFault = {
      ...checker,
      check: (input: Parameters<typeof checker.check>[0]) => checker.check({ ...input, faults: [fault] }),
    }
    // Every moment from the heal on is tried as the beginning of a steady stretch.
    const isValid = (operations: readonly Operation[]) => {
      const after = operations
        .filter(({ invoke_ts }) => invoke_ts >= fault.end!)
        .map((one) => ({ at: one.invoke_ts / millisecond, ok: outcomeOf(one) === 'ok' }))
      const steadyFrom = (from: number) =>
        after.some(({ at, ok }) => ok && at >= from + steady) &&
        after.every(({ at, ok }) => ok || at < from || at >= endOf(from))
      const endOf = (from: number) =>
        Math.min(...after.filter(({ at, ok }) => ok && at >= from + steady).map(({ at }) => at))
      const starts = [12, ...after.filter(({ ok }) => ok).map(({ at }) => at)].filter(steadyFrom)
      const start = starts.length === 0 ? Infinity : Math.min(...starts)
      const lastBad = Math.max(
        -1,
        ...after.filter(({ at, ok }) => !ok && at < start).map(({ at }) => at - 12),
      )
      if (lastBad > within) return false
      return start === Infinity ? null : true
    }
    const distinct = someCalls.map((calls) =>
      calls.filter((one, index) => calls.findIndex((other) => other.invoke_ts === one.invoke_ts) === index),
    )
    await againstDefinition(onFault, {
      histories: distinct,
      runs: randomHistories(2_000, 2),
      isValid,
      cores: false,
    })
  })

  it('refuses to promise nothing', () => {
    expect(() => availability({})).toThrow(DeclarationError)
    expect(() => availability({ atLeast: 3 })).toThrow('atLeast')
  })
})
