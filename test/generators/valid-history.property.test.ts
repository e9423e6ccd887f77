import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leaseExclusion } from '../../src/checkers/locks/lease-exclusion.js'
import { linearizable } from '../../src/checkers/index.js'
import { validHistory } from '../../src/generators/index.js'
import { modelNamed, modelNames } from '../../src/models/index.js'
import { isLinearizable } from '../checkers/brute-force.js'
import { randomHistories } from '../support/random-histories.js'
import { isLegal, smallShape, variantsOf } from './shapes.js'

describe.each(modelNames)('valid histories of %s', { timeout: 600_000 }, (name) => {
  const variants = variantsOf(name)

  it('are linearizable by the definition', () => {
    fc.assert(
      fc.property(fc.constantFrom(...variants), smallShape, (model, shape) => {
        expect(isLegal(model, validHistory(model, shape))).toBe(true)
      }),
      { numRuns: randomHistories(300, modelNames.length) },
    )
  })

  it('are accepted by linearizable()', async () => {
    const shape = fc.record({
      operations: fc.nat(100),
      processes: fc.integer({ min: 1, max: 5 }),
      keys: fc.integer({ min: 1, max: 3 }),
      unknown: fc.constantFrom(0, 0.03),
      failed: fc.constantFrom(0, 0.1),
      seed: fc.nat(),
    })
    const model = modelNamed(name)
    const input = { model, collected: null, timeoutMs: 2_000, verdictOnly: true }
    const numRuns = Math.min(60, randomHistories(15, modelNames.length))
    let decided = 0
    await fc.assert(
      fc.asyncProperty(shape, async (given) => {
        const { valid } = await linearizable().check({ ...input, operations: validHistory(model, given) })
        // A search may run out of time, and then it says so.
        expect(valid).not.toBe(false)
        if (valid === true) decided += 1
      }),
      { numRuns },
    )
    expect(decided / numRuns).toBeGreaterThan(0.8)
  })
})

it.each(['register', 'cas-register', 'map'])(
  'valid histories of %s are so over all keys together',
  (name) => {
    const model = modelNamed(name)
    fc.assert(
      fc.property(smallShape, (shape) => {
        const operations = validHistory(model, { ...shape, operations: Math.min(7, shape.operations) })
        expect(isLinearizable(operations, model.semantics)).toBe(true)
      }),
      { numRuns: Math.min(3_000, randomHistories(300)) },
    )
  },
)

it('valid histories of leases keep to their time to live', async () => {
  const checker = leaseExclusion({ ttl: 2, clockUncertainty: 0 })
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.constantFrom(0, 0.1), async (seed, unknown) => {
      const operations = validHistory('lease', { operations: 200, unknown, failed: unknown, seed })
      const result = await checker.check({
        operations,
        model: modelNamed('lease'),
        collected: null,
        timeoutMs: 10_000,
      })
      expect(result).toMatchObject({ valid: true, anomalies: [] })
      expect(result.evidence['beliefs']).toBeGreaterThan(5)
    }),
    { numRuns: randomHistories(50, 100) },
  )
})
