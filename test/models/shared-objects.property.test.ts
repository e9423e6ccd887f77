import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linearizable } from '../../src/checkers/index.js'
import type { Operation } from '../../src/history/operation.js'
import type { Json } from '../../src/json.js'
import { counter, ledger, lock, log, set, type Model } from '../../src/models/index.js'
import { isLinearizableBy } from '../checkers/linearizability/exact/by-model.js'
import { recorded } from '../checkers/linearizability/exact/played.js'
import { randomHistories } from '../support/random-histories.js'

/** A type of operation with what it may be given and may answer. */
type Choice = readonly [type: string, inputs: readonly Json[], outputs: readonly Json[]]

/** Small histories of any answers at all: what no exact checker has words for is searched. */
function anything(choices: readonly Choice[]): fc.Arbitrary<Operation[]> {
  const one = fc.constantFrom(...choices).chain(([type, inputs, outputs]) =>
    fc.record({
      type: fc.constant(type),
      input: fc.constantFrom(...inputs),
      output: fc.constantFrom(...outputs),
      process: fc.nat(2),
      pause: fc.nat(4),
      length: fc.nat(6),
      outcome: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'ok', 'failed', 'unknown'),
    }),
  )
  return fc.array(one, { maxLength: 6, size: 'max' }).map((steps) => {
    const free = [0, 0, 0]
    return steps.map(({ process, pause, length, ...step }, n) => {
      const invoke = free[process]! + pause
      free[process] = invoke + length + 1
      return recorded(n, { ...step, invoke, complete: invoke + length, process })
    })
  })
}

const models: readonly [Model, readonly Choice[]][] = [
  [
    counter(),
    [
      ['add', [1, 2, -1], [null]],
      ['add-and-get', [1], [1, 2]],
      ['read', [null], [0, 1, 2, null]],
    ],
  ],
  [
    set(),
    [
      ['add', [1, 2], [null, true, false]],
      ['remove', [1], [null, true]],
      ['contains', [1], [true, false]],
      ['read', [null], [[], [1], [2, 1], null]],
    ],
  ],
  [
    set({ init: [1] }),
    [
      ['add', [1, 2], [null]],
      ['read', [null], [[1], [1, 2]]],
      ['remove', [1], [true]],
    ],
  ],
  [
    log(),
    [
      ['append', ['a', 'b'], [{ offset: 0 }, null]],
      ['read', [null], [['a'], ['a', 'b']]],
      ['read', [0, 1], ['a', null]],
      ['tail', [null], [1, 2]],
    ],
  ],
  [
    lock(),
    [
      ['acquire', [null], [null, null, false]],
      ['release', [null], [null, null, false]],
    ],
  ],
  [
    ledger({ init: { a: 1 } }),
    [
      ['transfer', [{ from: 'a', to: 'b', amount: 1 }], [null, false]],
      ['read', [null], [{ a: 1 }, { a: 0, b: 1 }, { b: 2 }]],
    ],
  ],
]

const runs = randomHistories(200, models.length)

describe.each(models.map(([model, choices]) => ({ name: model.name, model, choices })))(
  'linearizable() on $name',
  { timeout: 1_800_000 },
  ({ model, choices }) => {
    it('agrees with the definition whatever the answers are', async () => {
      const seen = { true: 0, false: 0 }
      await fc.assert(
        fc.asyncProperty(anything(choices), async (operations) => {
          const { valid } = await linearizable().check({
            operations,
            model,
            collected: null,
            timeoutMs: 60_000,
          })
          expect(valid).toBe(isLinearizableBy(model, operations))
          seen[valid === true ? 'true' : 'false'] += 1
        }),
        { numRuns: runs },
      )
      expect(Math.min(seen.true, seen.false) / runs).toBeGreaterThan(0.1)
    })
  },
)
