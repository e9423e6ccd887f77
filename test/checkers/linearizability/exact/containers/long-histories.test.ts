import { describe, expect, it } from 'vitest'
import { priorityQueueChecker } from '../../../../../src/checkers/linearizability/exact/containers/priority-queue.js'
import { queueChecker } from '../../../../../src/checkers/linearizability/exact/containers/queue.js'
import { stackChecker } from '../../../../../src/checkers/linearizability/exact/containers/stack.js'
import { codedPart } from '../../parts.js'
import { isLinearizable } from './definition.js'
import type { ContainerName } from './histories.js'
import { longHistory, restricted, withSwappedTakes } from './long-history.js'

const operations = 6_000

describe.each([queueChecker, stackChecker, priorityQueueChecker])('$name', (checker) => {
  const container = checker.object as ContainerName

  it.each([
    { clients: 3, unknown: 0 },
    { clients: 20, unknown: 0 },
    { clients: 20, unknown: 0.05 },
  ])('finds a real history of %j valid', ({ clients, unknown }) => {
    const coded = longHistory(container, { operations, clients, unknown, seed: clients })
    expect(checker.decide(codedPart(container, coded, { values: operations }))).toEqual({ valid: true })
  })

  it.each([{ unknown: 0 }, { unknown: 0.01 }])(
    'finds two swapped results among %j, and needs few operations to show it',
    ({ unknown }) => {
      const coded = withSwappedTakes(longHistory(container, { operations, clients: 8, unknown, seed: 3 }))
      const part = codedPart(container, coded, { values: operations })
      const decision = checker.decide(part)
      if (decision.valid !== false) throw new Error(`the answer is ${decision.valid}`)
      const { violation } = decision
      expect(violation.operations.length).toBeLessThanOrEqual(12)
      expect(isLinearizable(restricted(part, violation.operations))).toBe(false)
    },
  )
})
