import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Configurations, type Worth } from '../../../../src/checkers/linearizability/search/configurations.js'
import { memoryOf } from '../../../../src/checkers/linearizability/search/memory.js'
import { randomHistories } from '../../../support/random-histories.js'

const runs = randomHistories(50, 200)
const same = (before: number, used: number) => before === used

/** A table of one word of bits in which nobody is better than another one but by being the same. */
function tableOf(memoryBytes: number, worth: () => Worth) {
  const memory = memoryOf(memoryBytes)
  const table = new Configurations(1, { memory, dominates: same, worth })
  const bits = new Int32Array(1)
  return {
    table,
    add(horizon: number, open: number): boolean {
      bits[0] = open
      return table.add(horizon, 0, bits, 0, 0)
    },
  }
}

it('forgets only ways within earlier stretches, and what is settled, when its memory is used up', () => {
  const configuration = fc.record({ horizon: fc.integer({ min: 0, max: 99 }), open: fc.nat(40) })
  let forgotten = 0
  fc.assert(
    fc.property(
      fc.array(configuration, { minLength: 800, maxLength: 3_000, size: 'max' }),
      (configurations) => {
        const worth = { settled: 20, stretch: 60 }
        // The smallest table holds 8 entries of 20 bytes in each of 32 shards, and this is enough to double it.
        const { table, add } = tableOf(16_000, () => worth)
        const added = new Set<string>()
        for (const { horizon, open } of configurations) {
          const name = `${horizon}/${open}`
          const isNew = add(horizon, open)
          if (table.isFull) break
          const isKept = horizon >= worth.stretch || (horizon >= worth.settled && open === 0)
          // What was never there is never taken for known, and what is worth its memory stays known.
          if (!added.has(name)) expect(isNew).toBe(true)
          else if (isKept) expect(isNew).toBe(false)
          else if (isNew) forgotten += 1
          added.add(name)
        }
      },
    ),
    { numRuns: runs },
  )
  expect(forgotten).toBeGreaterThan(0)
})

it('is full when everything in it is worth its memory', () => {
  const { table, add } = tableOf(16_000, () => ({ settled: 0, stretch: 0 }))
  for (let horizon = 0; horizon < 1_000 && !table.isFull; horizon += 1) add(horizon, 1)
  expect(table.isFull).toBe(true)
})
