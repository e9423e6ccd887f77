import { describe, expect, it } from 'vitest'
import { DeclarationError } from '../../src/errors.js'
import type { RunRecord, ScenarioRecord } from '../../src/session/record.js'
import type { Budget } from '../../src/verdict/budget.js'
import { belowAttempted, tierMetBy, validateBudget } from '../../src/verdict/tier.js'
import { faultWindow, runRecord } from '../session/records.js'

const budget = {
  smoke: { duration: '5s', nodes: 2, faults: 1, seeds: 1 },
  hardening: { duration: '30s', nodes: 3, faults: 4, seeds: 3 },
  release: { duration: '1h', nodes: 5, faults: 30, seeds: 10 },
} satisfies Budget

type Reached = { durationMs: number; nodes: number; faults: number; seeds: number }

/** Exactly what each tier asks for. */
const exactly = {
  smoke: { durationMs: 5_000, nodes: 2, faults: 1, seeds: 1 },
  hardening: { durationMs: 30_000, nodes: 3, faults: 4, seeds: 3 },
  release: { durationMs: 3_600_000, nodes: 5, faults: 30, seeds: 10 },
} as const satisfies Record<string, Reached>

/** Runs that reach exactly so much together: the first has the faults, each has a seed of its own. */
function runsOf(
  { durationMs, nodes, faults, seeds }: Reached,
  changes: Partial<RunRecord> = {},
): RunRecord[] {
  return Array.from({ length: seeds }, (_, index) =>
    runRecord({
      name: `seed-${index}`,
      seed: index,
      durationMs,
      nodes: Array.from({ length: nodes }, (__, node) => `n${node + 1}`),
      faults:
        index > 0 ? [] : Array.from({ length: faults }, (__, fault) => faultWindow({ id: `F${fault}` })),
      ...changes,
    }),
  )
}

const below = { smoke: 'none', hardening: 'smoke', release: 'hardening' } as const
const boundaries = (['smoke', 'hardening', 'release'] as const).flatMap((tier) =>
  (['durationMs', 'nodes', 'faults', 'seeds'] as const).map((dimension) => [tier, dimension] as const),
)

describe('tierMetBy', () => {
  it.each(['smoke', 'hardening', 'release'] as const)('is %s at exactly its numbers', (tier) => {
    expect(tierMetBy({ budget, runs: runsOf(exactly[tier]) })).toBe(tier)
  })

  it.each(boundaries)('is not %s just below its %s', (tier, dimension) => {
    const short = { ...exactly[tier], [dimension]: exactly[tier][dimension] - 1 }
    expect(tierMetBy({ budget, runs: runsOf(short) })).toBe(below[tier])
  })

  it('never skips a tier, and needs a declared one', () => {
    const { smoke } = budget
    const runs = runsOf(exactly.release)
    expect(tierMetBy({ budget: { smoke }, runs })).toBe('smoke')
    expect(tierMetBy({ budget: { smoke, release: budget.release }, runs })).toBe('smoke')
    const disclosed = { notProvided: 'no rig', revisitWhen: 'there is one' }
    expect(tierMetBy({ budget: { ...budget, release: disclosed }, runs })).toBe('hardening')
    expect(tierMetBy({ budget: null, runs })).toBe('smoke')
  })

  it('counts the weakest run, and only faults that landed', () => {
    const runs = runsOf(exactly.hardening)
    expect(tierMetBy({ budget, runs: [...runs.slice(1), { ...runs[0]!, durationMs: 29_999 }] })).toBe('smoke')
    const [one, ...rest] = runs[0]!.faults
    const unproven = { ...runs[0]!, faults: [{ ...one!, landed: false }, ...rest] }
    expect(tierMetBy({ budget, runs: [unproven, ...runs.slice(1)] })).toBe('smoke')
  })

  it('does not count re-runs, experiments, the same seed twice, and runs without an end', () => {
    const [first, ...others] = runsOf(exactly.hardening)
    const error = { phase: 'ready', kind: 'environment', message: 'm', hint: null } as const
    for (const change of [{ purpose: 'rerun' }, { purpose: 'experiment' }, { seed: 0 }, { error }] as const) {
      expect(tierMetBy({ budget, runs: [first!, ...others.map((run) => ({ ...run, ...change }))] })).toBe(
        'smoke',
      )
    }
    expect(tierMetBy({ budget, runs: [{ ...first!, error }] })).toBe('none')
  })

  it('measures each topology alone: another size costs nothing and lends nothing', () => {
    const large = runsOf(exactly.hardening, { system: 'large' })
    const small = runsOf({ ...exactly.hardening, nodes: 1, faults: 0 }, { system: 'small' })
    expect(tierMetBy({ budget, runs: [...small, ...large] })).toBe('hardening')
    const faultless = runsOf({ ...exactly.hardening, faults: 0 }, { system: 'large' })
    const faulty = runsOf({ ...exactly.hardening, nodes: 2 }, { system: 'small' })
    expect(tierMetBy({ budget, runs: [...faultless, ...faulty] })).toBe('smoke')
  })
})

describe('belowAttempted', () => {
  const record = (reached: Reached, changes: Partial<ScenarioRecord> = {}) => ({
    budget,
    runs: runsOf(reached),
    tierAttempted: 'hardening' as const,
    ...changes,
  })

  it('is nothing when the tier is met', () => {
    expect(belowAttempted(record(exactly.hardening))).toBeNull()
    expect(belowAttempted(record(exactly.smoke, { tierAttempted: 'smoke' }))).toBeNull()
  })

  it('names every dimension that fell short, and by how much', () => {
    expect(belowAttempted(record({ durationMs: 28_400, nodes: 2, faults: 3, seeds: 1 }))).toBe(
      'the hardening budget was not met: duration 28.4 s of 30 s (1.6 s short), nodes 2 of 3 (1 short), ' +
        'faults 3 of 4 (1 short), seeds 1 of 3 (2 short)',
    )
    expect(belowAttempted(record({ ...exactly.hardening, durationMs: 29_999 }))).toBe(
      'the hardening budget was not met: duration 29.999 s of 30 s (0.001 s short)',
    )
  })

  it('speaks of the topology that came nearest', () => {
    const runs = [
      ...runsOf({ ...exactly.hardening, faults: 3 }, { system: 'large' }),
      ...runsOf({ ...exactly.hardening, faults: 0, nodes: 1 }, { system: 'small' }),
    ]
    expect(belowAttempted(record(exactly.smoke, { runs }))).toBe(
      'the hardening budget was not met: faults 3 of 4 (1 short)',
    )
  })

  it('says that there is no such budget', () => {
    const { smoke, hardening } = budget
    expect(belowAttempted(record(exactly.smoke, { budget: { smoke } }))).toBe(
      'no hardening budget is declared',
    )
    expect(belowAttempted(record(exactly.smoke, { budget: null }))).toBe('no hardening budget is declared')
    const release = { notProvided: 'no rig', revisitWhen: 'there is one' }
    expect(
      belowAttempted(
        record(exactly.smoke, { budget: { smoke, hardening, release }, tierAttempted: 'release' }),
      ),
    ).toBe('no release budget is provided: no rig')
  })

  it('says nothing of what did not run, nor of a scenario without a budget under smoke', () => {
    expect(belowAttempted(record(exactly.smoke, { runs: [] }))).toBeNull()
    expect(belowAttempted(record(exactly.smoke, { budget: null, tierAttempted: 'smoke' }))).toBeNull()
  })
})

describe('validateBudget', () => {
  it('accepts tiers that grow, and a release tier that is only disclosed', () => {
    validateBudget(budget)
    validateBudget({ smoke: budget.smoke })
    validateBudget({ ...budget, release: { notProvided: 'no rig', revisitWhen: 'there is one' } })
    validateBudget({ ...budget, release: budget.hardening })
  })

  it.each(['duration', 'nodes', 'faults', 'seeds'] as const)('refuses the same %s in both tiers', (name) => {
    const equal = { ...budget, hardening: { ...budget.hardening, [name]: budget.smoke[name] } }
    expect(() => validateBudget(equal, "scenario('x')")).toThrow(DeclarationError)
    expect(() => validateBudget(equal, "scenario('x')")).toThrow(
      `scenario('x'): hardening.${name} (${budget.smoke[name]}) must be more than smoke.${name}`,
    )
    expect(() => validateBudget(equal, "scenario('x')")).toThrow('`nodes: 1` for smoke')
  })

  it.each([
    ['duration', '29s'],
    ['nodes', 2],
    ['faults', 3],
    ['seeds', 2],
  ] as const)('refuses a release tier with less %s than hardening', (name, less) => {
    const lower = { ...budget, release: { ...budget.release, [name]: less } }
    expect(() => validateBudget(lower)).toThrow(`release.${name} (${less}) must not be less`)
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
      /hardening\.nodes.*hardening\.faults/,
    )
  })
})
