import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide } from '../../src/verdict/decide.js'
import type { VerdictFacts } from '../../src/verdict/verdict.js'
import { sensitivity } from './facts.js'

const text = fc.constantFrom('one', 'two', 'three')

const anyFacts: fc.Arbitrary<VerdictFacts> = fc.record({
  attempted: fc.boolean(),
  notAttempted: fc.option(text),
  serious: fc.boolean(),
  missing: few(fc.record({ what: text, hint: text })),
  ended: few(fc.record({ what: text, hint: fc.option(text) })),
  violation: rarely(fc.record({ summary: text, reruns: fc.nat(3), reproduced: fc.nat(3) })),
  faults: fc.array(fc.record({ name: text, landed: usually(true, false), cause: fc.option(text) }), {
    maxLength: 3,
  }),
  modelChecker: fc.option(fc.record({ name: fc.constant('linearizable'), operations: fc.nat(2) }), {
    freq: 5,
  }),
  checks: fc.array(
    fc.record({
      checker: fc.constantFrom('linearizable', 'noLostAck'),
      valid: fc.oneof(
        { weight: 6, arbitrary: fc.constant(true) },
        fc.constantFrom(false, 'unknown' as const),
      ),
      reason: fc.option(text),
      operations: fc.nat(3),
      coverage: usually<'all' | 'subset'>('all', 'subset'),
      misfit: rarely(text),
    }),
    { maxLength: 3 },
  ),
  sensitivity: few(
    fc
      .record({ mutants: fc.nat(4), noticed: usually(1, 0.5) })
      .map(({ mutants, noticed }) => sensitivity({ mutants, killed: Math.ceil(mutants * noticed) })),
  ),
  weakHistory: few(text),
  tierMet: fc.constantFrom('none', 'smoke', 'hardening', 'release'),
  seedsAgreeing: fc.nat(5),
  unmet: few(
    fc.record({
      check: text,
      blocks: fc.constantFrom('PASS' as const, 'PASS-hardening' as const),
      downgrade: fc.constantFrom('PARTIAL-surface' as const, 'PARTIAL-model' as const),
    }),
  ),
  waived: few(fc.record({ check: text, because: text })),
  waivedNeedlessly: few(text),
})

function few<T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant<T[]>([]) }, fc.array(item, { maxLength: 2 }))
}

function rarely<T>(item: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, item)
}

function usually<T>(value: T, other: T): fc.Arbitrary<T> {
  return fc.oneof({ weight: 6, arbitrary: fc.constant(value) }, fc.constant(other))
}

const passes = (facts: VerdictFacts) => decide(facts).verdict.startsWith('PASS-')

/** Each fact that alone forbids a pass, whatever the others say. */
const forbidding: [title: string, forbids: (facts: VerdictFacts) => boolean][] = [
  ['it was never attempted', (facts) => !facts.attempted],
  ['something was missing', (facts) => facts.missing.length > 0],
  ['a run ended early', (facts) => facts.ended.length > 0],
  ['there is a violation', (facts) => facts.violation !== null],
  ['a checker said no', (facts) => facts.checks.some((check) => check.valid === false)],
  ['a planned fault did not land', (facts) => facts.faults.some((fault) => !fault.landed)],
  ['no checker ran', (facts) => facts.checks.length === 0],
  ['a checker did not finish', (facts) => facts.checks.some((check) => check.valid === 'unknown')],
  ['a checker does not fit', (facts) => facts.checks.some((check) => check.misfit !== null)],
  ['a checker saw nothing', (facts) => facts.checks.some((check) => check.operations === 0)],
  [
    'a checker would not have noticed',
    (facts) => facts.sensitivity.some(({ killed, mutants }) => killed < mutants),
  ],
  ['the smoke budget was missed', (facts) => facts.tierMet === 'none'],
  ['serious and no model checker', (facts) => facts.serious && !facts.modelChecker?.operations],
  ['serious and a weak history', (facts) => facts.serious && facts.weakHistory.length > 0],
]

const violated = ({ violation, checks }: VerdictFacts) =>
  violation !== null || checks.some(({ valid }) => valid === false)

/** When each row matches, the first to the ninth, as the table of verdicts has it. */
const matching: ((facts: VerdictFacts) => boolean)[] = [
  ({ attempted }) => !attempted,
  (facts) => facts.missing.length > 0 || (facts.ended.length > 0 && !violated(facts)),
  violated,
  ({ faults }) => !faults.every(({ landed }) => landed),
  ({ serious, modelChecker }) => serious && !modelChecker?.operations,
  ({ serious, checks, sensitivity: measured, weakHistory }) =>
    checks.length === 0 ||
    checks.some(
      ({ valid, operations, misfit }) => valid === 'unknown' || operations === 0 || misfit !== null,
    ) ||
    sum(measured.map(({ killed }) => killed)) < 0.95 * sum(measured.map(({ mutants }) => mutants)) ||
    (serious && weakHistory.length > 0),
  ({ serious, checks, modelChecker }) => {
    const own = checks.filter(({ checker }) => checker === modelChecker?.name)
    return serious && (own.length === 0 || own.some(({ coverage }) => coverage === 'subset'))
  },
  ({ unmet, tierMet, faults }) =>
    unmet.some(({ blocks }) => blocks === 'PASS') ||
    tierMet === 'none' ||
    tierMet === 'smoke' ||
    faults.length === 0,
  () => true,
]

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

describe('whatever else was recorded', () => {
  it.each(forbidding)('nothing passes when %s', (_title, forbids) => {
    fc.assert(
      fc.property(anyFacts.filter(forbids), (facts) => !passes(facts)),
      { numRuns: 500 },
    )
  })

  it('hardening is never granted on fewer than three seeds, on smoke, without a fault, or over an unmet check', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        if (decide(facts).verdict !== 'PASS-hardening') return
        expect(facts.seedsAgreeing).toBeGreaterThanOrEqual(3)
        expect(['hardening', 'release']).toContain(facts.tierMet)
        expect(facts.faults).not.toHaveLength(0)
        expect(facts.unmet).toHaveLength(0)
      }),
      { numRuns: 2_000 },
    )
  })

  it('no pass is granted over an unmet check that blocks every pass', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        if (!facts.unmet.some(({ blocks }) => blocks === 'PASS')) return
        expect(decide(facts).verdict).not.toMatch(/^PASS-/)
      }),
      { numRuns: 2_000 },
    )
  })

  it('what was started, lacked nothing and was violated fails', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        if (!violated(facts) || !facts.attempted || facts.missing.length > 0) return
        const again = (facts.violation?.reproduced ?? 0) > 0
        expect(decide(facts)).toMatchObject({
          verdict: again ? 'FAIL-reproducible' : 'FAIL-nondeterministic',
          row: 3,
        })
      }),
      { numRuns: 2_000 },
    )
  })

  it('a row decides only when none before it matches', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        expect(decide(facts).row).toBe(1 + matching.findIndex((matches) => matches(facts)))
      }),
      { numRuns: 5_000 },
    )
  })

  it('a fail is always founded on a violation', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        if (!decide(facts).verdict.startsWith('FAIL-')) return
        expect(facts.violation !== null || facts.checks.some((check) => check.valid === false)).toBe(true)
      }),
    )
  })

  it('the generator reaches passes, so the properties above are not vacuous', () => {
    expect(fc.sample(anyFacts, { numRuns: 3_000, seed: 7 }).filter(passes).length).toBeGreaterThan(5)
  })
})
