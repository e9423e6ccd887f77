import { describe, expect, it } from 'vitest'
import { stackChecker } from '../../../../../src/checkers/linearizability/exact/containers/stack.js'
import { containerKind, none } from '../../../../../src/checkers/linearizability/part.js'
import { codedPart, type Coded } from '../../parts.js'
import { agreesWithDefinition, expectVariety, leftoversAndUnknownTakes } from './agreement.js'

describe('the exact checker of stacks', { timeout: 1_200_000 }, () => {
  it('agrees with the definition on random small histories, and so do its counterexamples', () => {
    const seen = agreesWithDefinition(stackChecker, { mayGiveUp: leftoversAndUnknownTakes })
    expectVariety(seen)
    for (const type of ['wrong-order', 'false-empty', 'phantom-value', 'duplicate-take']) {
      expect(seen.types[type] ?? 0).toBeGreaterThan(0)
    }
  })

  it('names two elements that crossed', () => {
    const decision = decide([push(0, 0, 1), push(1, 2, 3), pop(0, 4, 5), pop(1, 6, 7)])
    if (decision.valid !== false) throw new Error('it is invalid')
    expect(decision.violation.operations).toEqual([0, 1, 2, 3])
    expect(decision.violation.explain(words)).toBe(
      'v1 was pushed on top of v0: #0 had returned when #1 began. Yet #2 took v0 from below it, before #3 began.',
    )
  })

  it('names three that are in no order although any two are', () => {
    const tangle = [push(1, 0, 2), push(2, 1, 4), push(0, 3, 6), pop(1, 5, 7), pop(2, 8, 9), pop(0, 10, 11)]
    const decision = decide([...manyPairs(20), ...tangle, ...manyPairs(40)])
    if (decision.valid !== false) throw new Error('it is invalid')
    expect(decision.violation.operations).toHaveLength(6)
    expect(decision.violation.explain(words)).toMatch(/^No order of the pushes and pops of v0, v1 and v2 is/)
    for (const element of [0, 1, 2]) {
      expect(decide(tangle.filter(([, one]) => one !== element))).toEqual({ valid: true })
    }
  })
})

const words = { tell: (one: number) => `#${one}`, value: (id: number) => `v${id}` }

function decide(coded: readonly Coded[]) {
  return stackChecker.decide(codedPart('stack', coded))
}

function push(element: number, at: number, completed: number): Coded {
  return [containerKind.put, element, none, at, completed]
}

function pop(element: number, at: number, completed: number): Coded {
  return [containerKind.take, element, none, at, completed]
}

/** Elements pushed and popped at once, twenty of them, while others do something else. */
function manyPairs(first: number): Coded[] {
  return Array.from({ length: 20 }, (_, index) => first + index).flatMap((element) => {
    const at = element < 40 ? (element - 60) * 4 : element * 4
    return [push(element, at, at + 1), pop(element, at + 2, at + 3)]
  })
}
