import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linearizable } from '../../src/checkers/index.js'
import { invalidHistory, validHistory, type HistoryShape } from '../../src/generators/index.js'
import { modelNamed, modelNames } from '../../src/models/index.js'
import { isLinearizable } from '../checkers/brute-force.js'
import { randomHistories } from '../support/random-histories.js'
import { isLegal, variantsOf } from './shapes.js'

/** So small that every order can be tried, and large enough to break. */
const breakable: fc.Arbitrary<HistoryShape> = fc.record({
  operations: fc.integer({ min: 7, max: 10 }),
  processes: fc.integer({ min: 2, max: 3 }),
  keys: fc.constantFrom(1, 1, 2),
  unknown: fc.constantFrom(0, 0.1),
  failed: fc.constantFrom(0, 0.1),
  seed: fc.nat(),
})

describe.each(modelNames)('invalid histories of %s', { timeout: 600_000 }, (name) => {
  it('are not linearizable by the definition', () => {
    fc.assert(
      fc.property(fc.constantFrom(...variantsOf(name)), breakable, (model, shape) => {
        const { operations, mutation, what } = invalidHistory(model, shape)
        expect(isLegal(model, operations), `${mutation}: ${what}`).toBe(false)
      }),
      { numRuns: randomHistories(300, 2 * modelNames.length) },
    )
  })

  it('are refused by linearizable()', async () => {
    const shape = { operations: 200, processes: 3, unknown: 0.02, failed: 0.02 }
    const refused: boolean[] = []
    for (let seed = 1; seed <= 5; seed += 1) {
      const { operations } = invalidHistory(name, { ...shape, seed })
      const input = { operations, model: modelNamed(name), collected: null, timeoutMs: 2_000 }
      const { valid } = await linearizable().check({ ...input, verdictOnly: true })
      // A search may run out of time, and then it says so.
      expect(valid).not.toBe(true)
      refused.push(valid === false)
    }
    expect(refused.filter(Boolean).length).toBeGreaterThan(2)
  })
})

it.each(['register', 'cas-register', 'map'])(
  'invalid histories of %s are so over all keys together',
  (name) => {
    const model = modelNamed(name)
    fc.assert(
      fc.property(breakable, (shape) => {
        const { operations } = invalidHistory(model, { ...shape, operations: 7 })
        expect(isLinearizable(operations, model.semantics)).toBe(false)
      }),
      { numRuns: Math.min(3_000, randomHistories(300)) },
    )
  },
)

describe('invalidHistory', () => {
  const shape: HistoryShape = { operations: 300, unknown: 0.05, seed: 4 }

  it('is the valid history of the same shape with one change, told in words', () => {
    const { operations, mutation, what } = invalidHistory('register', shape)
    const valid = new Set(validHistory('register', shape).map((operation) => JSON.stringify(operation)))
    const changed = operations.filter((operation) => !valid.has(JSON.stringify(operation)))
    expect(changed).toHaveLength(1)
    expect(mutation).toMatch(/read|own-write/)
    expect(what).toContain(String(changed[0]?.op_id))
    expect(invalidHistory('register', shape)).toEqual({ operations, mutation, what })
  })

  it('breaks histories in different ways', () => {
    const ways = Array.from({ length: 20 }, (_, seed) => invalidHistory('queue', { ...shape, seed }).mutation)
    expect(new Set(ways).size).toBeGreaterThan(2)
  })

  it('says when there is nothing to break', () => {
    expect(() => invalidHistory('register', { operations: 0, seed: 1 })).toThrow(
      /histories of 0 operations on the model register have no place/,
    )
  })
})
