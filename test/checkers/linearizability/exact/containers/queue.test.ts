import { describe, expect, it } from 'vitest'
import { queueChecker } from '../../../../../src/checkers/linearizability/exact/containers/queue.js'
import { agreesWithDefinition, expectVariety } from './agreement.js'

describe('the exact checker of queues', { timeout: 1_200_000 }, () => {
  it('agrees with the definition on random small histories, and so do its counterexamples', () => {
    const seen = agreesWithDefinition(queueChecker, { mayGiveUp: () => false })
    console.log(JSON.stringify(seen))
    expectVariety(seen)
    for (const type of ['wrong-order', 'lost-element', 'false-empty', 'phantom-value', 'duplicate-take']) {
      expect(seen.types[type] ?? 0).toBeGreaterThan(0)
    }
  })
})
