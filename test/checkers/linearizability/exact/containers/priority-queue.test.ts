import { describe, expect, it } from 'vitest'
import { priorityQueueChecker } from '../../../../../src/checkers/linearizability/exact/containers/priority-queue.js'
import { containerKind, none, type Decision } from '../../../../../src/checkers/linearizability/part.js'
import { codedPart, type Coded } from '../../parts.js'
import { agreesWithDefinition, expectVariety, leftoversAndUnknownTakes } from './agreement.js'

describe('the exact checker of priority queues', { timeout: 1_200_000 }, () => {
  it('agrees with the definition on random small histories, and so do its counterexamples', () => {
    const seen = agreesWithDefinition(priorityQueueChecker, { mayGiveUp: leftoversAndUnknownTakes })
    expectVariety(seen)
    for (const type of ['wrong-order', 'false-empty', 'phantom-value', 'duplicate-take']) {
      expect(seen.types[type] ?? 0).toBeGreaterThan(0)
    }
  })

  it('tells a poll that overlooked what had a higher priority', () => {
    const decision = decide([put(1, 5, 0, 1), put(2, 3, 2, 3), take(2, 4, 5), take(1, 6, 7)])
    if (decision.valid !== false) throw new Error('it is invalid')
    expect(decision.violation.operations).toEqual([0, 1, 2, 3])
    expect(decision.violation.explain({ tell: (one) => `#${one}`, value: (id) => `v${id}` })).toBe(
      '#2 returned v2, although v1 was there all the while, with a higher priority.',
    )
  })

  it('lets equal priorities leave in any order', () => {
    const inserted = [put(1, 5, 0, 1), put(2, 5, 2, 3)]
    expect(decide([...inserted, take(2, 4, 5), take(1, 6, 7)])).toEqual({ valid: true })
    expect(decide([...inserted, take(1, 4, 5), take(2, 6, 7)])).toEqual({ valid: true })
  })
})

function decide(coded: readonly Coded[]): Decision {
  return priorityQueueChecker.decide(codedPart('priority-queue', coded))
}

function put(element: number, priority: number, at: number, completed: number): Coded {
  return [containerKind.put, element, priority, at, completed]
}

function take(element: number, at: number, completed: number): Coded {
  return [containerKind.take, element, none, at, completed]
}
