import { describe, expect, it } from 'vitest'
import { decide } from '../../src/verdict/decide.js'
import { verdicts, type Verdict, type VerdictFacts } from '../../src/verdict/verdict.js'
import { check, facts, sensitivity } from './facts.js'

type Case = [title: string, changes: Partial<VerdictFacts>, verdict: Verdict, row: number, reason: RegExp]

const notAttempted = { attempted: false, notAttempted: 'skipped by scenario.skip' }
const lacking = { missing: [{ what: 'Docker engine', hint: 'apt-get install docker.io' }] }
const violation = (reproduced: number, reruns = 2) => ({
  violation: { summary: 'read 3 after 4 was acknowledged', reruns, reproduced },
})
const unproven = {
  faults: [
    { name: 'kill', landed: true, cause: null },
    { name: 'partition', landed: false, cause: 'no traffic met it' },
  ],
}
const subset = { checks: [check({ coverage: 'subset' })] }

const table: Case[] = [
  ['skipped', notAttempted, 'NOT-RUN', 1, /never started: skipped by scenario\.skip\./],
  ['no Docker', lacking, 'INCONCLUSIVE-env', 2, /Docker engine \(apt-get install docker\.io\)/],
  ['seen again', violation(1), 'FAIL-reproducible', 3, /was acknowledged\. Seen again in 1 of 2 re-runs/],
  ['not seen again', violation(0), 'FAIL-nondeterministic', 3, /Not seen again in 2 re-runs/],
  ['not run again', violation(0, 0), 'FAIL-nondeterministic', 3, /It was not run again/],
  [
    'a checker says no, nothing re-ran',
    { checks: [check({ valid: false })] },
    'FAIL-nondeterministic',
    3,
    /linearizable found a violation/,
  ],
  [
    'one of two faults did not land',
    unproven,
    'INCONCLUSIVE-fault-not-proven',
    4,
    /1 of 2 planned faults not proven to have landed: partition \(no traffic met it\)/,
  ],
  ['no model checker', { modelChecker: null }, 'PARTIAL-surface', 5, /such as linearizable\(\)/],
  [
    'the model checker saw nothing',
    { modelChecker: { name: 'linearizable', operations: 0 } },
    'PARTIAL-surface',
    5,
    /consumed no operation/,
  ],
  [
    'weak history',
    { weakHistory: ['node_seen is null on 12 operations'] },
    'INCONCLUSIVE-oracle-too-weak',
    6,
    /node_seen is null/,
  ],
  [
    'too few violations noticed',
    { sensitivity: [sensitivity({ killed: 20 }), sensitivity({ killed: 17 })] },
    'INCONCLUSIVE-oracle-too-weak',
    6,
    /linearizable noticed only 37 of 40 violations .* \(95% are asked for\), and not that read \(operation 17\) meets 3/,
  ],
  [
    'misfit',
    { checks: [check({ misfit: 'a queue needs totalQueue()' })] },
    'INCONCLUSIVE-oracle-too-weak',
    6,
    /does not fit: a queue needs totalQueue\(\)/,
  ],
  [
    'cut short',
    { checks: [check({ valid: 'unknown', reason: 'out of time after 60 s' })] },
    'INCONCLUSIVE-oracle-too-weak',
    6,
    /did not finish: out of time/,
  ],
  [
    'a second oracle saw nothing',
    { checks: [check(), check({ checker: 'noLostAck', operations: 0 })] },
    'INCONCLUSIVE-oracle-too-weak',
    6,
    /noLostAck consumed no operation/,
  ],
  ['subset', subset, 'PARTIAL-model', 7, /only a part of the operations/],
  [
    'subset in one of two seeds',
    { checks: [check(), check({ coverage: 'subset' })] },
    'PARTIAL-model',
    7,
    /a part/,
  ],
  ['below smoke', { tierMet: 'none' }, 'PARTIAL-surface', 8, /below the smoke budget/],
  ['no fault', { faults: [] }, 'PASS-smoke', 8, /no fault was active/],
  ['smoke budget', { tierMet: 'smoke' }, 'PASS-smoke', 8, /under partition; only the smoke budget/],
  ['one seed', { seedsAgreeing: 1 }, 'PARTIAL-model', 9, /1 seed agreed, 3 are needed/],
  [
    'an unmet check',
    { unmet: [{ check: 'a single failover', blocks: 'PASS-hardening', downgrade: 'PARTIAL-model' }] },
    'PARTIAL-model',
    9,
    /a single failover/,
  ],
  [
    'the lower of two downgrades',
    {
      unmet: [
        { check: 'a single failover', blocks: 'PASS-hardening', downgrade: 'PARTIAL-model' },
        { check: 'positive controls only', blocks: 'PASS-hardening', downgrade: 'PARTIAL-surface' },
      ],
    },
    'PARTIAL-surface',
    9,
    /a single failover; positive controls only/,
  ],
  ['hardened', {}, 'PASS-hardening', 9, /No violation was observed under partition; the hardening budget/],
  [
    'beyond hardening',
    { tierMet: 'release', seedsAgreeing: 5 },
    'PASS-hardening',
    9,
    /release budget.*5 seeds/,
  ],
]

describe('each row of the decision', () => {
  it.each(table)('%s', (_title, changes, verdict, row, reason) => {
    const ruling = decide(facts(changes))
    expect({ verdict: ruling.verdict, row: ruling.row }).toEqual({ verdict, row })
    expect(ruling.reason).toMatch(reason)
    expect(ruling.reason).toMatch(/\.$/)
  })

  it('reaches every one of the ten verdicts', () => {
    expect(new Set(table.map(([, changes]) => decide(facts(changes)).verdict))).toEqual(new Set(verdicts))
  })
})

describe('the first row that matches decides', () => {
  const rows: [row: number, changes: Partial<VerdictFacts>][] = [
    [1, notAttempted],
    [2, lacking],
    [3, violation(1)],
    [4, unproven],
    [5, { modelChecker: null }],
    [6, { weakHistory: ['no node_seen'] }],
    [7, subset],
    [8, { tierMet: 'smoke' as const }],
    [9, { seedsAgreeing: 1 }],
  ]
  const pairs = rows.flatMap(([first, one], index) =>
    rows.slice(index + 1).map(([second, other]) => ({ first, second, changes: { ...other, ...one } })),
  )

  it.each(pairs)('row $first before row $second', ({ first, changes }) => {
    expect(decide(facts(changes)).row).toBe(first)
  })
})

describe('a scenario without a serious claim', () => {
  it.each([
    ['no model checker', { modelChecker: null }],
    ['a weak history', { weakHistory: ['no node_seen'] }],
    ['a subset', subset],
  ])('is not held to %s', (_title, changes) => {
    expect(decide(facts({ serious: false, ...changes })).verdict).toBe('PASS-hardening')
  })

  it('still needs an oracle that would have noticed', () => {
    const blind = facts({ serious: false, sensitivity: [sensitivity({ killed: 0 })] })
    expect(decide(blind)).toMatchObject({ verdict: 'INCONCLUSIVE-oracle-too-weak', row: 6 })
    expect(decide(facts({ sensitivity: [sensitivity({ killed: 19 })] })).verdict).toBe('PASS-hardening')
    expect(decide(facts({ sensitivity: [sensitivity({ mutants: 0, killed: 0 })] })).verdict).toBe(
      'PASS-hardening',
    )
  })

  it('still needs an oracle that answered', () => {
    const cutShort = facts({ serious: false, checks: [check({ valid: 'unknown', reason: 'out of memory' })] })
    expect(decide(cutShort)).toMatchObject({ verdict: 'INCONCLUSIVE-oracle-too-weak', row: 6 })
    expect(decide(facts({ serious: false, modelChecker: null, checks: [] })).row).toBe(6)
  })
})

it('a run that ended early says where it ended', () => {
  const ended = [{ what: 'seed-7: ready: no leader', hint: 'read logs/n1.log' }]
  expect(decide(facts({ ended }))).toEqual({
    verdict: 'INCONCLUSIVE-env',
    row: 2,
    reason: 'It did not run to its end: seed-7: ready: no leader (read logs/n1.log).',
  })
})

it('a violation counts although a run ended early, and what is missing decides before it', () => {
  const ended = [{ what: 'seed-7: stop: it would not stop', hint: null }]
  expect(decide(facts({ ended, ...violation(1) }))).toMatchObject({ verdict: 'FAIL-reproducible', row: 3 })
  const said = { ended, checks: [check({ valid: false })] }
  expect(decide(facts(said))).toMatchObject({ verdict: 'FAIL-nondeterministic', row: 3 })
  expect(decide(facts({ ended, ...lacking, ...violation(1) }))).toMatchObject({ row: 2 })
})

it('of several floors the highest counts', () => {
  const runs = [sensitivity({ killed: 19, floor: 0.5 }), sensitivity({ killed: 18, floor: 0.95 })]
  expect(decide(facts({ sensitivity: runs }))).toMatchObject({ row: 6 })
  expect(decide(facts({ sensitivity: runs.toReversed() }))).toMatchObject({ row: 6 })
})

it.each([
  ['a floor', { sensitivity: [sensitivity({ killed: 0, floor: NaN })] }],
  ['a count of mutants', { sensitivity: [sensitivity({ killed: NaN })] }],
  ['a count of seeds', { seedsAgreeing: NaN }],
  ['a count of operations', { checks: [check({ operations: NaN })] }],
  ['a count of the model checker', { modelChecker: { name: 'linearizable', operations: NaN } }],
] satisfies [string, Partial<VerdictFacts>][])('%s that is no number does not harden', (_, changes) => {
  expect(decide(facts(changes)).verdict).not.toBe('PASS-hardening')
})
