import { describe, expect, it } from 'vitest'
import { stackChecker } from '../../../../../src/checkers/linearizability/exact/containers/stack.js'
import { agreesWithDefinition, expectVariety, leftoversAndUnknownTakes } from './agreement.js'

describe('the exact checker of stacks', { timeout: 1_200_000 }, () => {
  it('agrees with the definition on random small histories, and so do its counterexamples', () => {
    const seen = agreesWithDefinition(stackChecker, { mayGiveUp: leftoversAndUnknownTakes })
    console.log(JSON.stringify(seen))
    expectVariety(seen)
    for (const type of ['wrong-order', 'false-empty', 'phantom-value', 'duplicate-take']) {
      expect(seen.types[type] ?? 0).toBeGreaterThan(0)
    }
  })
})
