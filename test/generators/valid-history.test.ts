import { describe, expect, it } from 'vitest'
import { validHistory, type HistoryShape } from '../../src/generators/index.js'
import { columnsOf } from '../../src/history/columns-builder.js'
import { outcomeOf, type Operation } from '../../src/history/operation.js'
import { validateOperation } from '../../src/history/validate.js'
import { casRegister, lock, model, modelNames, register } from '../../src/models/index.js'
import { countOf } from './shapes.js'

const shape: HistoryShape = { operations: 2_000, processes: 6, keys: 3, unknown: 0.05, failed: 0.1, seed: 11 }

describe.each(modelNames)('validHistory of %s', (name) => {
  const operations = validHistory(name, shape)

  it('has the shape that was asked for', () => {
    expect(operations).toHaveLength(shape.operations)
    expect(Math.abs(countOf(operations, 'unknown') / shape.operations - 0.05)).toBeLessThan(0.02)
    expect(Math.abs(countOf(operations, 'failed') / shape.operations - 0.1)).toBeLessThan(0.03)
    expect(new Set(operations.map(({ op_id: id }) => id)).size).toBe(shape.operations)
  })

  it('is a history as the recorder writes it', () => {
    for (const operation of operations) expect(validateOperation(operation)).toEqual({ operation })
    const times = operations.flatMap(({ invoke_ts: start, complete_ts: end }) =>
      end === null ? [start] : [start, end],
    )
    expect(new Set(times).size).toBe(times.length)
    expect(
      operations.every(({ invoke_ts: at }, index) => index === 0 || at > operations[index - 1]!.invoke_ts),
    ).toBe(true)
  })

  it('has processes that wait for their answers, and retire where none came', () => {
    const answeredAt = new Map<Operation['process_id'], number>()
    for (const { process_id: process, invoke_ts: invoked, complete_ts: completed } of operations) {
      expect(answeredAt.get(process) ?? -1).toBeLessThan(invoked)
      answeredAt.set(process, completed ?? Infinity)
    }
    // Every client but those whose last operation it was goes on as another process.
    expect(answeredAt.size - countOf(operations, 'unknown')).toBeGreaterThanOrEqual(0)
    expect(answeredAt.size - countOf(operations, 'unknown')).toBeLessThanOrEqual(6)
  })

  it('has operations that overlap', () => {
    const overlapping = operations.filter(
      ({ invoke_ts: at }, index) => index > 0 && (operations[index - 1]!.complete_ts ?? Infinity) > at,
    )
    expect(overlapping.length).toBeGreaterThan(operations.length / 4)
  })

  it('is the same for the same seed, and another for another', () => {
    expect(validHistory(name, shape)).toEqual(operations)
    expect(validHistory(name, { ...shape, seed: 12 })).not.toEqual(operations)
  })

  it('has no keys and no bad ends unless asked for', () => {
    const plain = validHistory(name, { operations: 500, seed: 1 })
    expect(countOf(plain, 'ok')).toBe(500)
    if (name !== 'ledger') expect(plain.every(({ key }) => key === null)).toBe(true)
  })
})

describe('validHistory', () => {
  it('writes each value once', () => {
    const written = validHistory('register', shape).flatMap(({ op_type: type, input }) =>
      type === 'write' ? [input] : [],
    )
    expect(new Set(written).size).toBe(written.length)
  })

  it('lets some operations of unknown outcome take effect and others not, and no failed one', () => {
    const operations = validHistory(register(), { operations: 5_000, unknown: 0.1, failed: 0.1, seed: 3 })
    const seen = new Set(operations.flatMap(({ op_type: type, output }) => (type === 'read' ? [output] : [])))
    const writes = (outcome: ReturnType<typeof outcomeOf>) =>
      operations.filter((operation) => operation.op_type === 'write' && outcomeOf(operation) === outcome)
    const seenOf = (some: readonly Operation[]) =>
      some.filter(({ input }) => seen.has(input)).length / some.length
    expect(seenOf(writes('failed'))).toBe(0)
    expect(seenOf(writes('unknown'))).toBeGreaterThan(0.15)
    expect(seenOf(writes('unknown'))).toBeLessThan(seenOf(writes('ok')))
  })

  it('begins where the model begins', () => {
    const reads = validHistory(register({ init: 'x' }), { operations: 20, processes: 1, seed: 2 })
    expect(reads.find(({ op_type: type }) => type === 'write' || type === 'read')).toMatchObject({
      output: 'x',
    })
  })

  it('lets a failed compare-and-set tell nothing where failures are observed', () => {
    const operations = validHistory(casRegister({ failed: 'observed' }), {
      operations: 300,
      failed: 0.5,
      seed: 1,
    })
    expect(
      operations.filter(({ op_type: type }) => type === 'cas').every(({ error }) => error === null),
    ).toBe(true)
    expect(countOf(operations, 'failed')).toBeGreaterThan(50)
  })

  it('serves everybody who waits for a lock, however the history ends', () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const operations = validHistory(lock(), {
        operations: 1 + (seed % 15),
        keys: 1 + (seed % 3),
        failed: 0.3,
        seed,
      })
      expect(operations).toHaveLength(1 + (seed % 15))
      expect(countOf(operations, 'unknown')).toBe(0)
    }
  })

  it('makes a million operations that columns hold', { timeout: 60_000 }, () => {
    const operations = validHistory('register', { operations: 1_000_000, unknown: 0.01, seed: 1 })
    expect(columnsOf(operations).count).toBe(1_000_000)
  })

  it.each([
    [{ operations: -1, seed: 1 }, /operations/],
    [{ operations: 10 }, /seed/],
    [{ operations: 10, seed: 1, processes: 0 }, /processes/],
    [{ operations: 10, seed: 1, unknown: 0.6, failed: 0.6 }, /more than 1 together/],
    [{ operations: 10, seed: 1, size: 3 }, /size/],
  ])('refuses the shape %j', (wrong, message) => {
    expect(() => validHistory('register', wrong as HistoryShape)).toThrow(message)
  })

  it('says which models it knows', () => {
    const box = model({ name: 'box', operations: ['open'], init: () => 0, step: (state) => state })
    expect(() => validHistory(box, { operations: 1, seed: 1 })).toThrow(
      /no history can be made for the model "box"/,
    )
    expect(() => validHistory('regster', { operations: 1, seed: 1 })).toThrow(/no model "regster"/)
  })
})
