import { describe, expect, it } from 'vitest'
import { priorityQueueChecker } from '../../../../../src/checkers/linearizability/exact/containers/priority-queue.js'
import { agreesWithDefinition, expectVariety, leftoversAndUnknownTakes } from './agreement.js'

describe('the exact checker of priority queues', { timeout: 1_200_000 }, () => {
  it('agrees with the definition on random small histories, and so do its counterexamples', () => {
    const seen = agreesWithDefinition(priorityQueueChecker, { mayGiveUp: leftoversAndUnknownTakes })
    console.log(JSON.stringify(seen))
    expectVariety(seen)
    for (const type of ['wrong-order', 'false-empty', 'phantom-value', 'duplicate-take']) {
      expect(seen.types[type] ?? 0).toBeGreaterThan(0)
    }
  })
})
