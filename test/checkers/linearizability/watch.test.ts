import fc from 'fast-check'
import { expect, it } from 'vitest'
import { watchRegisters } from '../../../src/checkers/linearizability/watch.js'
import type { Operation } from '../../../src/history/operation.js'
import { casRegister, counter, map, register } from '../../../src/models/index.js'
import type { Model } from '../../../src/models/model.js'
import { randomHistories } from '../../support/random-histories.js'
import { isLinearizable } from '../brute-force.js'
import { smallHistory } from '../small-history.js'

/** Shows the operations to the watch as a recorder does, in order of time, and resolves to what it found. */
function watched(operations: readonly Operation[], model: Model) {
  const watch = watchRegisters(model)!
  const events = operations.flatMap((operation) => [
    { at: operation.invoke_ts, order: 0, show: () => watch.invoked(open(operation)) },
    { at: operation.complete_ts ?? Infinity, order: 1, show: () => watch.completed(operation) },
  ])
  for (const { show } of events.toSorted((a, b) => a.at - b.at || a.order - b.order)) show()
  return watch.violation
}

const open = (operation: Operation): Operation => ({
  ...operation,
  complete_ts: null,
  output: null,
  error: 'no answer yet',
  timeout_marker: true,
})

it.each([
  ['register', register()],
  ['cas-register', casRegister()],
  ['map', map()],
] as const)('finds only violations of a %s', (name, model) => {
  const found = { some: 0, none: 0 }
  const property = fc.property(smallHistory(name, null), (operations) => {
    const violation = watched(operations, model)
    found[violation === null ? 'none' : 'some'] += 1
    if (violation === null) return
    expect(isLinearizable(operations, model.semantics)).toBe(false)
    const shown = operations.filter(({ op_id }) => violation.includes(op_id))
    expect(shown.length).toBeGreaterThan(0)
  })
  fc.assert(property, { numRuns: randomHistories(3_000, 3) })
  if (name !== 'cas-register') expect(found.some / (found.some + found.none)).toBeGreaterThan(0.1)
})

it('watches no model of another kind', () => {
  expect(watchRegisters(counter())).toBeNull()
  expect(watchRegisters(null)).toBeNull()
})
