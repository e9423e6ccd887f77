import { describe, expect, it } from 'vitest'
import { queueChecker } from '../../../../../src/checkers/linearizability/exact/containers/queue.js'
import {
  containerKind,
  none,
  type Decision,
  type Violation,
} from '../../../../../src/checkers/linearizability/part.js'
import { codedPart, type Coded } from '../../parts.js'
import { agreesWithDefinition, expectVariety } from './agreement.js'

describe('the exact checker of queues', { timeout: 1_200_000 }, () => {
  it('agrees with the definition on random small histories, and so do its counterexamples', () => {
    const seen = agreesWithDefinition(queueChecker, { mayGiveUp: () => false })
    expectVariety(seen)
    for (const type of ['wrong-order', 'lost-element', 'false-empty', 'phantom-value', 'duplicate-take']) {
      expect(seen.types[type] ?? 0).toBeGreaterThan(0)
    }
  })

  it('tells two elements that left in the wrong order by four operations', () => {
    const violation = violationIn([put(1, 0, 1), put(2, 2, 3), take(2, 4, 5), take(1, 6, 7), put(3, 8, 9)])
    expect(violation.type).toBe('wrong-order')
    expect(violation.operations).toEqual([0, 1, 2, 3])
    expect(violation.explain(words)).toBe(
      'v1 went in before v2: #0 had returned when #1 began. It came out after it: #2 had returned when #3 began.',
    )
  })

  it('tells an empty take by elements that were there in turn', () => {
    const violation = violationIn([
      put(1, 0, 1),
      take(none, 2, 9),
      put(2, 3, 4),
      take(1, 5, 6),
      take(2, 10, 11),
    ])
    expect(violation.operations).toEqual([0, 1, 2, 3, 4])
    expect(violation.explain(words)).toBe(
      '#1 found nothing, although v1 and v2 were there in turn, one not taken before the next was put.',
    )
  })

  it('counts what takes of unknown outcome can have removed', () => {
    const [first, second, third, taken] = [put(1, 0, 1), put(2, 2, 3), put(3, 4, 5), take(3, 8, 9)]
    const [lost, another, late] = [take(none, 6, null), take(none, 7, null), take(none, 10, null)]
    expect(decide([first, second, third, lost, another, taken])).toEqual({ valid: true })
    const violation = violationIn([first, second, third, lost, taken, late])
    expect(violation.type).toBe('lost-element')
    // The take that began too late is no part of it.
    expect(violation.operations).toEqual([0, 1, 2, 3, 4])
    expect(violation.explain(words)).toBe(
      '2 elements put wholly before v3 had to be gone when #4 returned it, and no take returned them: v1 and v2. Only 1 take of unknown outcome had begun by then.',
    )
  })

  it('lets a take find nothing when unknown takes can have removed all, and not otherwise', () => {
    const [first, second, lost, empty] = [put(1, 0, 1), put(2, 2, 3), take(none, 4, null), take(none, 6, 7)]
    expect(decide([first, second, lost, take(none, 5, null), empty])).toEqual({ valid: true })
    const violation = violationIn([first, second, lost, empty])
    expect(violation.type).toBe('false-empty')
    expect(violation.explain(words)).toBe(
      '#3 found nothing, although no take returned v1 and v2. Only 1 take of unknown outcome had begun that could have removed them in time.',
    )
    expect(decide([first, lost, empty])).toEqual({ valid: true })
  })

  it('refuses what was put twice', () => {
    expect(decide([put(1, 0, 1), put(1, 2, 3)])).toMatchObject({ valid: 'unknown' })
  })

  it('finds a history without operations valid', () => {
    expect(decide([])).toEqual({ valid: true })
  })
})

const words = { tell: (one: number) => `#${one}`, value: (id: number) => `v${id}` }

function decide(coded: readonly Coded[]): Decision {
  return queueChecker.decide(codedPart('queue', coded))
}

function violationIn(coded: readonly Coded[]): Violation {
  const decision = decide(coded)
  if (decision.valid !== false) throw new Error(`the answer is ${decision.valid}`)
  return decision.violation
}

function put(element: number, at: number, completed: number): Coded {
  return [containerKind.put, element, none, at, completed]
}

function take(element: number, at: number, completed: number | null): Coded {
  return [containerKind.take, element, none, at, completed]
}
