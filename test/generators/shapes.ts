import fc from 'fast-check'
import type { HistoryShape } from '../../src/generators/index.js'
import { outcomeOf, type Operation } from '../../src/history/operation.js'
import type { Json } from '../../src/json.js'
import { modelNamed, type Model } from '../../src/models/index.js'
import { isLinearizableBy } from '../checkers/linearizability/exact/by-model.js'

/** Shapes of histories so small that every order can be tried, with every outcome. */
export const smallShape: fc.Arbitrary<HistoryShape> = fc.record({
  operations: fc.nat(9),
  processes: fc.integer({ min: 1, max: 4 }),
  keys: fc.constantFrom(1, 1, 2),
  unknown: fc.constantFrom(0, 0.2, 0.5),
  failed: fc.constantFrom(0, 0.2),
  seed: fc.nat(),
})

/** A state before the history, for models that can be told one. */
const inits: Readonly<Record<string, Json>> = {
  register: 'first',
  'cas-register': 0,
  map: 'first',
  'multi-register': { k0: 5, other: null },
  'kv-string-append': 'first ',
  queue: [-1, -2],
  stack: [-1, -2],
  'priority-queue': [3, { priority: 4, value: 'first' }],
  counter: 10,
  set: [-1, 'first'],
  log: [-1, 'first'],
  semaphore: 2,
  ledger: { alice: 10, bob: 0 },
  session: 'first',
  'membership-table': ['m-1'],
  'list-append': { k0: [-1, -2], other: [] },
  'rw-register': { k0: 5, other: null },
}

/** The model as it is by default, and as it begins with something. */
export function variantsOf(name: string): readonly Model[] {
  const init = inits[name]
  return [modelNamed(name), ...(init === undefined ? [] : [modelNamed(name, { init })])]
}

/** Linearizability by its definition, each key by itself where the model says so. */
export function isLegal(model: Model, operations: readonly Operation[]): boolean {
  if (model.partition === 'whole') return isLinearizableBy(model, operations)
  const keys = [...new Set(operations.map(({ key }) => key))]
  return keys.every((key) =>
    isLinearizableBy(
      model,
      operations.filter((operation) => operation.key === key),
    ),
  )
}

export function countOf(operations: readonly Operation[], outcome: ReturnType<typeof outcomeOf>): number {
  return operations.filter((operation) => outcomeOf(operation) === outcome).length
}
