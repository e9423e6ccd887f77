import fc from 'fast-check'
import { expect, it } from 'vitest'
import { modelProblem } from '../../../../src/checkers/linearizability/search/model-problem.js'
import { callsOfGroup } from '../../../../src/checkers/linearizability/search/model-calls.js'
import { replay } from '../../../../src/checkers/linearizability/search/replay.js'
import { columnsOf } from '../../../../src/history/columns-builder.js'
import type { Operation } from '../../../../src/history/operation.js'
import { register } from '../../../../src/models/index.js'
import { randomHistories } from '../../../support/random-histories.js'
import { isLinearizable } from '../../brute-force.js'
import { operation } from '../../operation.js'

function replayed(operations: readonly Operation[]) {
  const model = register()
  const columns = columnsOf(operations)
  const group = { key: null, operations: operations.map((_, index) => index) }
  return replay(modelProblem(callsOfGroup(group, { columns, model }), model))
}

const oneAfterTheOther = fc
  .array(fc.record({ writes: fc.boolean(), value: fc.integer({ min: 0, max: 1 }) }), { maxLength: 7 })
  .map((drawn) =>
    drawn.map(({ writes, value }, index) =>
      operation({
        op_type: writes ? 'write' : 'read',
        ...(writes ? { input: value } : { output: value }),
        at: [index * 2, index * 2 + 1],
      }),
    ),
  )

it('decides what happened one after the other as the definition does', () => {
  const seen = { valid: 0, invalid: 0 }
  const runs = randomHistories(1_000)
  fc.assert(
    fc.property(oneAfterTheOther, (operations) => {
      const isValid = isLinearizable(operations, { init: null, nullRead: 'absent', failed: 'ignored' })
      seen[isValid ? 'valid' : 'invalid'] += 1
      expect(replayed(operations)?.outcome).toBe(isValid ? 'linearizable' : 'not-linearizable')
    }),
    { numRuns: runs },
  )
  expect(Math.min(seen.valid, seen.invalid) / runs).toBeGreaterThan(0.1)
})

it('leaves what overlaps, and what was never answered, to the search', () => {
  const write = operation({ op_type: 'write', input: 1, at: [0, 5] })
  expect(replayed([write, operation({ op_type: 'read', output: 1, at: [4, 6] })])).toBeNull()
  expect(replayed([write, operation({ op_type: 'write', input: 2, at: [6, null] })])).toBeNull()
})
