import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outcomeOf, type Operation } from '../../src/history/operation.js'
import { modelNamed, type Model, type ModelOperation } from '../../src/models/index.js'
import { isLinearizable } from '../checkers/linearizability/exact/containers/definition.js'
import { smallHistory } from '../checkers/linearizability/exact/containers/histories.js'
import { partsOfOperations } from '../checkers/linearizability/parts.js'
import { randomHistories } from '../support/random-histories.js'

const runs = randomHistories(1_500, 3)

describe.each(['queue', 'stack', 'priority-queue'] as const)('model %s', { timeout: 1_200_000 }, (name) => {
  it('allows what the definition in columns allows, and nothing else', () => {
    const model = modelNamed(name)
    const seen = { true: 0, false: 0 }
    fc.assert(
      fc.property(smallHistory(name, { longest: 8 }), (operations) => {
        const [part] = partsOfOperations(operations, model)
        const expected = part === undefined || isLinearizable(part)
        expect(allowed(operations, model)).toBe(expected)
        seen[expected ? 'true' : 'false'] += 1
      }),
      { numRuns: runs },
    )
    expect(Math.min(seen.true, seen.false) / runs).toBeGreaterThan(0.1)
  })
})

/** Whether some order of the operations is legal by the model's own steps. */
function allowed(operations: readonly Operation[], model: Model): boolean {
  const failed = new Set<string>()
  const place = (left: readonly Operation[], state: unknown): boolean => {
    if (left.every((operation) => outcomeOf(operation) !== 'ok')) return true
    const configuration = `${left.map((operation) => operation.op_id).join()}|${model.identity(state)}`
    if (failed.has(configuration)) return false
    const firstReturn = Math.min(
      ...left.flatMap(({ complete_ts: completed }) => (completed === null ? [] : [completed])),
    )
    const found = left.some((operation) => {
      if (operation.invoke_ts > firstReturn) return false
      const next = model.step(state, seenBy(operation))
      return (
        next !== undefined &&
        place(
          left.filter((other) => other !== operation),
          next,
        )
      )
    })
    if (!found) failed.add(configuration)
    return found
  }
  return place(operations, model.init(null))
}

function seenBy(operation: Operation): ModelOperation {
  const { op_type: type, key, input, output } = operation
  return { type, key, input, output, outcome: outcomeOf(operation) }
}
