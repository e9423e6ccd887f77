import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DeclarationError } from '../../src/errors.js'
import { workload } from '../../src/workload/index.js'

const run = async () => null
const valid = { clients: 2, operations: { write: { run } } }

test('a valid declaration is taken as it is', () => {
  const full = {
    clients: 8,
    rate: '200/s',
    keys: { count: 16, skew: 'zipf' },
    operations: { write: { weight: 7, input: fc.nat(), mutates: true, run }, read: { weight: 0, run } },
    timeout: '1s',
    classify: () => 'failed' as const,
  } as const
  expect(workload(full).spec).toBe(full)
  expect(workload({ ...valid, think: '5ms' }).spec.think).toBe('5ms')
})

test.each<[unknown, string]>([
  [undefined, 'workload is missing; expected an object'],
  [{ ...valid, clients: 0 }, 'workload.clients is 0; expected a whole number of at least 1'],
  [{ ...valid, clients: Number.NaN }, 'workload.clients is NaN'],
  [{ ...valid, clients: 2n }, 'workload.clients is 2n'],
  [{ ...valid, keys: null }, 'workload.keys is null; expected an object'],
  [{ ...valid, operatons: {} }, 'workload.operatons is not an option'],
  [{ ...valid, rate: 'fast' }, 'workload.rate: "fast" is not a rate'],
  [{ ...valid, rate: 5, think: 1 }, 'workload.think is for closed loops'],
  [{ ...valid, keys: {} }, 'workload.keys.count is missing'],
  [
    { ...valid, keys: { count: 1, skew: 'pareto' } },
    "workload.keys.skew is 'pareto'; expected 'uniform' or 'zipf'",
  ],
  [{ ...valid, timeout: 0 }, 'workload.timeout is 0; expected more than 0'],
  [{ ...valid, timeout: '1 s' }, 'workload.timeout: "1 s" is not a duration'],
  [{ ...valid, classify: 'unknown' }, "workload.classify is 'unknown'; expected a function"],
  [{ ...valid, operations: {} }, 'workload.operations is empty'],
  [{ ...valid, operations: { write: run } }, 'workload.operations.write is a function; expected an object'],
  [{ ...valid, operations: { write: {} } }, 'workload.operations.write.run is missing; expected a function'],
  [{ ...valid, operations: { write: { run, weight: -1 } } }, 'workload.operations.write.weight is -1'],
  [{ ...valid, operations: { write: { run, weight: 0 } } }, 'has weight 0'],
  [{ ...valid, operations: { write: { run, mutates: 1 } } }, 'workload.operations.write.mutates is 1'],
  [
    { ...valid, operations: { write: { run, input: 5 } } },
    'workload.operations.write.input is 5; expected a fast-check',
  ],
  [
    { ...valid, operations: { write: { run, wieght: 5 } } },
    'workload.operations.write.wieght is not an option',
  ],
])('%#: refuses by path: %s', (spec, message) => {
  expect(() => workload(spec as never)).toThrow(DeclarationError)
  expect(() => workload(spec as never)).toThrow(message)
})
