import { expect, it } from 'vitest'
import { reproducedInWords } from '../../src/verdict/reproduced.js'

const violation = (reruns: number, reproduced: number) => ({ summary: '', reruns, reproduced })

it('says how often a violation was seen again, and what that says of its rate', () => {
  expect(reproducedInWords(violation(2, 2))).toBe(
    'Seen again in 2 of 2 re-runs with the same seed: 15% to 100% of such runs show it (95%, exact binomial).',
  )
  expect(reproducedInWords(violation(5, 1))).toBe(
    'Seen again in 1 of 5 re-runs with the same seed: 0% to 72% of such runs show it (95%, exact binomial).',
  )
  expect(reproducedInWords(violation(1, 0))).toBe(
    'Not seen again in 1 re-run with the same seed: 0% to 98% of such runs show it (95%, exact binomial).',
  )
  expect(reproducedInWords(violation(0, 0))).toBe('It was not run again.')
})
