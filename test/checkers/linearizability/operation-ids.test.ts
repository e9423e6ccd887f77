import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OperationIds } from '../../../src/checkers/linearizability/operation-ids.js'
import type { Json } from '../../../src/json.js'
import { canonical } from '../../../src/models/canonical.js'
import type { ModelOperation } from '../../../src/models/model.js'

const value = fc.constantFrom<Json>(null, 0, 1, '1', 'read', true, [1], ['1'], { a: 1, b: 2 }, { b: 2, a: 1 })
const operation = fc.record<ModelOperation>({
  type: fc.constantFrom('read', 'write', '1'),
  key: fc.constantFrom(null, 1, '1'),
  input: value,
  output: value,
  outcome: fc.constantFrom('ok', 'failed', 'unknown'),
  process: fc.constantFrom(1, '1'),
})

test('gives the same id to the same operation and no other, counted from 0', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
      const ids = new OperationIds()
      const names: string[] = []
      for (const one of operations) {
        const name = canonical({ ...one })
        if (!names.includes(name)) names.push(name)
        expect(ids.of(one)).toBe(names.indexOf(name))
      }
    }),
  )
})

test('takes an operation of nobody for another one than of a process', () => {
  const read: ModelOperation = { type: 'read', key: null, input: null, output: 1, outcome: 'ok' }
  const ids = new OperationIds()
  expect([ids.of(read), ids.of({ ...read, process: 1 }), ids.of(read)]).toEqual([0, 1, 0])
})
