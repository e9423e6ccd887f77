import { describe, expect, test } from 'vitest'
import { factsOf } from '../../../src/scenario/ruling/facts.js'
import type { RunRecord } from '../../../src/session/record.js'
import { faultWindow, runRecord, scenarioRecord } from '../../session/records.js'

const violated = runRecord().checks.map((check) => ({
  ...check,
  valid: false as const,
  anomalies: [{ type: 'stale-read', explanation: 'read 1 after 2 was acknowledged', operations: [1, 2] }],
}))

describe('faults that never fired', () => {
  const fired = (fault: string, id: string | null, skipped: string | null = null) => ({
    fault,
    afterMs: 0,
    forMs: null,
    id,
    skipped,
    drawn: [],
    recoveredMs: null,
  })
  const silentIn = (schedule: RunRecord['schedule']) =>
    factsOf(scenarioRecord({ runs: [runRecord({ faults: [], schedule })] })).faults

  test('count as not landed when they are declared', () => {
    const schedule = [
      { declared: 'partition at 1s', faults: [fired('partition', 'F1')] },
      { declared: 'kill at 9s', faults: [] },
      { declared: 'random (kill node=random)', faults: [] },
    ]
    const record = scenarioRecord({ runs: [runRecord({ faults: [faultWindow()], schedule })] })
    expect(factsOf(record).faults).toEqual([
      { name: 'partition n1 | n2, n3', landed: true, cause: null },
      { name: 'kill at 9s', landed: false, cause: 'it never fired: the workload ended before its time' },
      {
        name: 'random (kill node=random)',
        landed: false,
        cause: 'it never fired: the workload ended before its time',
      },
    ])
  })

  test('do not count when a random schedule drew them and drew them once more', () => {
    const quorum = 'less than a majority'
    expect(
      silentIn([
        {
          declared: 'random (kill | pause)',
          faults: [fired('kill', 'F1'), fired('kill', null, quorum), fired('pause', 'F2')],
        },
      ]),
    ).toEqual([])
  })

  test('count when a kind was drawn and never allowed', () => {
    const quorum = 'less than a majority'
    expect(
      silentIn([
        {
          declared: 'random (kill | pause)',
          faults: [fired('kill', 'F1'), fired('pause', null, quorum), fired('pause', null, quorum)],
        },
      ]),
    ).toEqual([{ name: 'pause', landed: false, cause: 'it never fired: less than a majority' }])
  })
})

test('re-runs decide only whether a violation is reproducible', () => {
  const rerun = (changes = {}) => runRecord({ name: 'rerun', purpose: 'rerun', ...changes })
  const record = scenarioRecord({
    runs: [runRecord({ checks: violated }), rerun({ checks: violated }), rerun()],
  })
  const facts = factsOf(record)
  expect(facts.violation).toEqual({ summary: 'read 1 after 2 was acknowledged', reruns: 2, reproduced: 1 })
  expect(facts.seedsAgreeing).toBe(1)
  expect(facts.checks).toHaveLength(violated.length)
})

test('without a single answer no checker has judged anything', () => {
  const silent = runRecord({ load: { ...runRecord().load!, ok: 0 } })
  expect(factsOf(scenarioRecord({ runs: [silent] })).checks.map(({ operations }) => operations)).toEqual(
    silent.checks.map(() => 0),
  )
})

test('a run that ended early says in which phase', () => {
  const error = { phase: 'ready', kind: 'environment' as const, message: 'no leader', hint: null }
  const facts = factsOf(scenarioRecord({ runs: [runRecord({ error })] }))
  expect(facts.missing).toEqual([])
  expect(facts.ended).toEqual([
    {
      what: 'seed-42: ready: no leader',
      hint: 'read logs/linearizable_register_under_partition/seed-42/n1.log',
    },
  ])
  expect(facts.tierMet).toBe('none')
})

test('the oracle that counts is the fitting one that judges by the model', () => {
  const base = { pattern: 1, scope: [], misfit: null }
  const record = scenarioRecord({
    checkers: [
      { ...base, name: 'no-lost-ack', usesModel: false },
      { ...base, name: 'linearizable', usesModel: true },
    ],
    runs: [runRecord({ checks: [{ ...runRecord().checks[0]!, checker: 'linearizable', operations: 12 }] })],
  })
  expect(factsOf(record).modelChecker).toEqual({ name: 'linearizable', operations: 12 })
  const misfit = record.checkers.map((checker) => ({ ...checker, misfit: 'a session claim' }))
  // It ran as declared; that it does not fit is for the verdict to say.
  expect(factsOf({ ...record, checkers: misfit }).modelChecker).toEqual({
    name: 'linearizable',
    operations: 12,
  })
  expect(factsOf({ ...record, checkers: misfit.slice(0, 1) }).modelChecker).toBeNull()
})

test('a run that ended early after a violation is a violation all the same', () => {
  const error = { phase: 'stop', kind: 'environment', message: 'it would not stop', hint: null } as const
  const { ended, violation } = factsOf(
    scenarioRecord({ runs: [runRecord({ checks: violated, error })], missing: [] }),
  )
  expect(ended).toEqual([])
  expect(violation?.summary).toBe('read 1 after 2 was acknowledged')
})

test('only what the same checker finds again is reproduced', () => {
  const other = violated.map((check) => ({ ...check, checker: 'another' }))
  const runs = [
    runRecord({ checks: violated }),
    runRecord({ name: 'a', purpose: 'rerun', checks: other }),
    runRecord({ name: 'b', purpose: 'rerun', checks: [...other, ...violated] }),
  ]
  expect(factsOf(scenarioRecord({ runs })).violation).toMatchObject({ reruns: 2, reproduced: 1 })
})

test('a re-run that was cut short counts only when it had shown the violation before', () => {
  const error = { phase: 'stop', kind: 'environment', message: 'it would not stop', hint: null } as const
  const runs = [
    runRecord({ checks: violated }),
    runRecord({ name: 'a', purpose: 'rerun', checks: violated, error }),
    runRecord({ name: 'b', purpose: 'rerun', error }),
  ]
  expect(factsOf(scenarioRecord({ runs })).violation).toMatchObject({ reruns: 1, reproduced: 1 })
})
