import { expect, test } from 'vitest'
import { rulingOn } from '../../../src/scenario/ruling/ruling.js'
import type { Audit } from '../../../src/verdict/audits/audit.js'
import { auditChecks } from '../../../src/verdict/audits/catalog.js'
import { runRecord, scenarioRecord } from '../../session/records.js'

const budget = {
  smoke: { duration: '5s', nodes: 1, faults: 1, seeds: 1 },
  hardening: { duration: '6s', nodes: 3, faults: 3, seeds: 3 },
} as const

/** Every check before a pass, as not applicable. */
const audits = auditChecks.map(({ name, blocks, downgrade }, index): Audit => ({
  name,
  group: 'red-flag',
  number: index + 1,
  result: 'not-applicable',
  evidence: ['not asked here'],
  blocks,
  downgrade,
  waiver: null,
}))

const violated = [{ ...runRecord().checks[0]!, valid: false }]

test('the reason says in what the runs stayed below the tier that was attempted', () => {
  const ruling = rulingOn(scenarioRecord({ audits, budget, tierAttempted: 'hardening' }))
  expect(ruling.verdict).toBe('PASS-smoke')
  expect(ruling.reason).toMatch(
    /The hardening budget was not met: duration 5 s of 6 s \(1 s short\), faults 1 of 3 \(2 short\), seeds 1 of 3 \(2 short\)\.$/,
  )
})

test('below smoke, too', () => {
  const runs = [runRecord({ durationMs: 4_000 })]
  const ruling = rulingOn(scenarioRecord({ audits, budget, runs }))
  expect(ruling.verdict).toBe('PARTIAL-surface')
  expect(ruling.reason).toMatch(/The smoke budget was not met: duration 4 s of 5 s \(1 s short\)\.$/)
})

test('it says nothing of a tier that was met, nor where another row decided', () => {
  expect(rulingOn(scenarioRecord({ audits, budget })).reason).not.toContain('budget was not met')
  const runs = [runRecord({ durationMs: 4_000, checks: [{ ...violated[0]!, valid: 'unknown' }] })]
  const ruling = rulingOn(scenarioRecord({ audits, budget, runs }))
  expect(ruling.row).toBe(6)
  expect(ruling.reason).not.toContain('budget was not met')
})

test('a violation says how many of the seeds show it', () => {
  const runs = [runRecord(), runRecord({ name: 'seed-43', seed: 43, checks: violated })]
  const ruling = rulingOn(scenarioRecord({ audits, budget, runs }))
  expect(ruling.verdict).toBe('FAIL-nondeterministic')
  expect(ruling.reason).toMatch(/Seeds disagree: 1 of 2 runs shows it \(seed-43\), 1 does not \(seed-42\)\.$/)
})
