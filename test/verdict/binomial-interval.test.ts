import { describe, expect, it } from 'vitest'
import { binomialInterval, intervalInWords } from '../../src/verdict/binomial-interval.js'

describe('the exact interval of a rate', () => {
  it.each([
    // Without a hit, or with nothing else, the ends have closed forms.
    [0, 2, 0, 1 - 0.025 ** (1 / 2)],
    [0, 10, 0, 1 - 0.025 ** (1 / 10)],
    [2, 2, 0.025 ** (1 / 2), 1],
    [5, 5, 0.025 ** (1 / 5), 1],
    // Roots of the polynomials of the two tails: 1 - (1 - p)^2 = 0.025 and 1 - p^2 = 0.025.
    [1, 2, 1 - Math.sqrt(0.975), Math.sqrt(0.975)],
    // As tabulated.
    [1, 10, 0.0025, 0.445],
    [7, 10, 0.3475, 0.9333],
    // With so many it is about two standard deviations to both sides.
    [5_000, 10_000, 0.49015, 0.50985],
  ])('of %i hits in %i runs', (hits, runs, from, to) => {
    const interval = binomialInterval(hits, runs)
    expect(interval.from).toBeCloseTo(from, 4)
    expect(interval.to).toBeCloseTo(to, 4)
  })

  it('covers the true rate in at least 95% of all cases', () => {
    for (const runs of [2, 5, 12]) {
      for (const rate of [0.03, 0.25, 0.5, 0.9]) {
        let covered = 0
        let chance = (1 - rate) ** runs
        for (let hits = 0; hits <= runs; hits++) {
          const { from, to } = binomialInterval(hits, runs)
          if (from <= rate && rate <= to) covered += chance
          chance *= ((runs - hits) / (hits + 1)) * (rate / (1 - rate))
        }
        expect(covered).toBeGreaterThanOrEqual(0.95)
      }
    }
  })

  it('rounds outwards in words', () => {
    expect(intervalInWords(binomialInterval(2, 2))).toBe('15% to 100%')
    expect(intervalInWords(binomialInterval(0, 2))).toBe('0% to 85%')
  })

  it('refuses more hits than runs', () => {
    expect(() => binomialInterval(3, 2)).toThrow(RangeError)
  })
})
