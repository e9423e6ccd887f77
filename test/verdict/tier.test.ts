import { describe, expect, it } from 'vitest'
import { DeclarationError } from '../../src/errors.js'
import type { Budget } from '../../src/verdict/budget.js'
import { tierMet, validateBudget, type Reached } from '../../src/verdict/tier.js'

const budget = {
  smoke: { duration: '5s', nodes: 3, faults: 1, seeds: 1 },
  hardening: { duration: '30s', nodes: 3, faults: 3, seeds: 3 },
  release: { duration: '1h', nodes: 5, faults: 30, seeds: 10 },
} as const satisfies Budget

const hardening: Reached = { durationMs: 30_000, nodes: 3, faultsLanded: 3, seeds: 3 }

describe('tierMet', () => {
  it('takes the highest tier reached, at exactly its numbers', () => {
    expect(tierMet(budget, { durationMs: 4_999, nodes: 3, faultsLanded: 1, seeds: 1 })).toBe('none')
    expect(tierMet(budget, { durationMs: 5_000, nodes: 3, faultsLanded: 1, seeds: 1 })).toBe('smoke')
    expect(tierMet(budget, hardening)).toBe('hardening')
    expect(tierMet(budget, { durationMs: 3_600_000, nodes: 5, faultsLanded: 30, seeds: 10 })).toBe('release')
  })

  it.each(['durationMs', 'faultsLanded', 'seeds'] as const)(
    'one step short in %s is not hardening',
    (name) => {
      expect(tierMet(budget, { ...hardening, [name]: hardening[name] - 1 })).toBe('smoke')
    },
  )

  it('never skips a tier, and needs a declared one', () => {
    const { smoke } = budget
    const long = { durationMs: 1e9, nodes: 9, faultsLanded: 99, seeds: 99 }
    expect(tierMet({ smoke }, long)).toBe('smoke')
    expect(tierMet({ smoke, release: budget.release }, long)).toBe('smoke')
    const disclosed = { notProvided: 'no rig', revisitWhen: 'there is one' }
    expect(tierMet({ ...budget, release: disclosed }, long)).toBe('hardening')
    expect(tierMet(null, long)).toBe('smoke')
  })
})

describe('validateBudget', () => {
  it('accepts tiers that grow, and a release tier that is only disclosed', () => {
    validateBudget(budget)
    validateBudget({ smoke: budget.smoke })
    validateBudget({ ...budget, release: { notProvided: 'no rig', revisitWhen: 'there is one' } })
  })

  it.each(['duration', 'faults', 'seeds'] as const)('refuses the same %s in both tiers', (name) => {
    const equal = { ...budget, hardening: { ...budget.hardening, [name]: budget.smoke[name] } }
    expect(() => validateBudget(equal, "scenario('x')")).toThrow(DeclarationError)
    expect(() => validateBudget(equal, "scenario('x')")).toThrow(`scenario('x'): hardening.${name}`)
  })

  it('compares durations by length, not by spelling', () => {
    const spelled = {
      smoke: { ...budget.smoke, duration: '90s' },
      hardening: { ...budget.hardening, duration: '1m' },
    } as const
    expect(() => validateBudget(spelled)).toThrow(
      'hardening.duration (1m) must be more than smoke.duration (90s)',
    )
  })

  it('lists everything that is wrong at once', () => {
    const smaller = { ...budget.hardening, nodes: 1, faults: 0 }
    expect(() => validateBudget({ ...budget, hardening: smaller })).toThrow(
      /hardening\.faults.*hardening\.nodes/,
    )
    expect(() => validateBudget({ ...budget, release: { ...budget.release, seeds: 2 } })).toThrow(
      'release.seeds',
    )
  })
})
