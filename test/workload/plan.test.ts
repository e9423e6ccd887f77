import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Random } from '../../src/random/random.js'
import { planOperations, type PlannedOperation } from '../../src/workload/plan.js'
import { intendedStarts } from '../../src/workload/schedule.js'
import type { OperationSpec } from '../../src/workload/workload.js'

function operation(spec: Omit<OperationSpec<never>, 'run'> = {}): OperationSpec<never> {
  return { ...spec, run: async () => null }
}

type Spec = Parameters<typeof planOperations>[0]

function plan(spec: Spec, seed: number, count: number): PlannedOperation[] {
  const operations = planOperations(spec, new Random(seed))
  return Array.from({ length: count }, () => operations.next().value)
}

const mixed: Spec = {
  keys: { count: 4 },
  operations: {
    write: operation({ weight: 7 }),
    read: operation({ weight: 3 }),
    cas: operation({ input: fc.tuple(fc.nat(9), fc.nat(9)) }),
  },
}

test('the seed determines the sequence of operations', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const operations = plan(mixed, seed, 50)
      expect(plan(mixed, seed, 50)).toEqual(operations)
      expect(plan(mixed, seed + 1, 50)).not.toEqual(operations)
      expect(operations.map(({ number }) => number)).toEqual(operations.map((_, index) => index))
    }),
    { numRuns: 20 },
  )
})

test('another arbitrary or other keys leave the rest of the sequence as it is', () => {
  const types = (spec: Spec) => plan(spec, 7, 200).map(({ type }) => type)
  const { read, write } = mixed.operations
  const changed = { operations: { write: write!, read: read!, cas: operation({ input: fc.constant(1) }) } }
  expect(types(changed)).toEqual(types(mixed))
})

test('written values are distinct, over all types that mutate; observers have none', () => {
  const spec = {
    operations: {
      add: operation(),
      write: operation(),
      get: operation(),
      peek: operation({ mutates: false }),
    },
  }
  const operations = plan(spec, 1, 1_000)
  const written = operations
    .filter(({ type }) => type === 'add' || type === 'write')
    .map(({ value }) => value)
  expect(written).toEqual(written.map((_, index) => index + 1))
  expect(
    new Set(operations.filter(({ type }) => type === 'get' || type === 'peek').map(({ value }) => value)),
  ).toEqual(new Set([null]))
})

test('weights are shares; weight 0 never comes up', () => {
  const spec = {
    operations: { a: operation({ weight: 9 }), b: operation(), never: operation({ weight: 0 }) },
  }
  const types = plan(spec, 3, 10_000).map(({ type }) => type)
  expect(types.filter((type) => type === 'a').length / 10_000).toBeCloseTo(0.9, 1)
  expect(types).not.toContain('never')
})

test('keys: none, uniform, or skewed by Zipf', () => {
  const share = (spec: Spec, key: string) =>
    plan(spec, 5, 100_000).filter((it) => it.key === key).length / 100_000
  const operations = { read: operation() }
  expect(plan({ operations }, 5, 1)[0]!.key).toBeNull()
  const uniform: Spec = { operations, keys: { count: 16 } }
  expect(share(uniform, 'k0')).toBeCloseTo(1 / 16, 2)
  expect(share(uniform, 'k15')).toBeCloseTo(1 / 16, 2)
  const skewed: Spec = { operations, keys: { count: 16, skew: 'zipf' } }
  const harmonic = Array.from({ length: 16 }, (_, rank) => 1 / (rank + 1)).reduce((a, b) => a + b)
  expect(share(skewed, 'k0')).toBeCloseTo(1 / harmonic, 2)
  expect(share(skewed, 'k3')).toBeCloseTo(1 / 4 / harmonic, 2)
  expect(share(skewed, 'k15')).toBeCloseTo(1 / 16 / harmonic, 2)
})

test('a drawn value that a history cannot hold is refused by name', () => {
  const spec = { operations: { write: operation({ input: fc.bigInt() as never }) } }
  expect(() => plan(spec, 1, 1)).toThrow('a value of workload.operations.write.input is a bigint')
})

test('intended starts are in order, one in each slot of the rate, and a function of the seed', () => {
  const starts = (seed: number) => {
    const schedule = intendedStarts(200, new Random(seed))
    return Array.from({ length: 500 }, () => schedule.next().value)
  }
  const slots = starts(7).map((start) => Math.floor(start / 5e6))
  expect(slots).toEqual(slots.map((_, index) => index))
  expect(starts(7)).toEqual(starts(7))
  expect(starts(7)).not.toEqual(starts(8))
})
