import { describe, expect, it } from 'vitest'
import { registerCheckers } from '../../../../../src/checkers/linearizability/exact/register/index.js'
import { registerKind, type Decision, type Part } from '../../../../../src/checkers/linearizability/part.js'
import { codedPart } from '../../parts.js'
import { compare, randomHistories, report, smallestShare } from './judge.js'

function decide(part: Part): Decision {
  let last: Decision = { valid: 'unknown', reason: 'nobody was asked' }
  for (const checker of registerCheckers) {
    last = checker.decide(part)
    if (last.valid !== 'unknown') return last
  }
  return last
}

describe('the checkers of a register, asked in turn', () => {
  it.each(registerCheckers)(
    '$name finds nothing wrong with an empty history or unanswered writes',
    (checker) => {
      expect(checker.object).toBe('register')
      expect(checker.decide(codedPart('register', []))).toEqual({ valid: true })
      const unanswered = codedPart('register', [
        [registerKind.write, 1, -1, 0, null],
        [registerKind.write, 2, -1, 1, null],
      ])
      expect(checker.decide(unanswered)).toEqual({ valid: true })
    },
  )

  it(
    'never disagree with the definition, and give a part no trace of the one before',
    { timeout: 3_600_000 },
    () => {
      const tally = compare(decide, {
        count: randomHistories(2_000),
        seed: 41,
        shapeOf: (random) => ({
          operations: Math.floor(random() * 10),
          clients: 1 + Math.floor(random() * 4),
          unknown: random() < 0.5 ? 0.2 : 0,
          reads: 0.45,
          cas: random() < 0.5 ? 0 : 0.3,
          values: random() < 0.5 ? null : 2 + Math.floor(random() * 6),
          spoilt: 0.7,
          failed: random() < 0.2 ? 0.1 : 0,
        }),
      })
      report('register checkers in turn', tally)
      expect(smallestShare(tally)).toBeGreaterThan(0.1)
      expect(tally.valid + tally.invalid).toBeGreaterThan(tally.undecidedValid + tally.undecidedInvalid)
    },
  )
})
