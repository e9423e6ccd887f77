import { describe, expect, it } from 'vitest'
import { factsOf } from '../../../src/scenario/ruling/facts.js'
import { scenarioRecordSchema, type RunRecord } from '../../../src/session/record.js'
import { auditNames, redFlags, weakOracles, type AuditName } from '../../../src/verdict/audits/audit.js'
import { auditsOf } from '../../../src/verdict/audits/audits-of.js'
import { decide } from '../../../src/verdict/decide.js'
import { tierMetBy } from '../../../src/verdict/tier.js'
import { hardenedRecord, hardenedRun, hardenedRuns, oneWay, slice } from '../hardened.js'
import { auditNamed } from './audit-named.js'
import { redFlagSessions } from './red-flag-sessions.js'
import { weakOracleSessions } from './weak-oracle-sessions.js'

const sessions = { ...redFlagSessions, ...weakOracleSessions }

/** Its only run did not go to its end. */
const broken = hardenedRecord({
  runs: [hardenedRun({ error: { phase: 'ready', kind: 'environment', message: 'no leader', hint: null } })],
})

describe.each(auditNames)('%s', (name) => {
  it.each(sessions[name].met)('is met: %s', (_title, record, evidence) => {
    const audit = auditNamed(name, record)
    expect(audit.result, audit.said).toBe('met')
    expect(audit.said).toMatch(evidence)
  })

  it.each(sessions[name].unmet)('is unmet: %s', (_title, record, evidence) => {
    const audit = auditNamed(name, record)
    expect(audit.result, audit.said).toBe('unmet')
    expect(audit.said).toMatch(evidence)
  })

  it.each(sessions[name].notApplicable)('does not apply: %s', (_title, record, evidence) => {
    const audit = auditNamed(name, record)
    expect([audit.result, audit.evidence.length], audit.said).toEqual(['not-applicable', 1])
    expect(audit.said).toMatch(evidence)
  })

  it('is unmet when there is no run to evaluate it from', () => {
    for (const record of [broken, hardenedRecord({ runs: [] })]) {
      expect(auditNamed(name, record)).toMatchObject({ result: 'unmet', said: /no run went to its end/ })
    }
  })
})

/** The ruling on a record with its audits. */
function ruled(record: ReturnType<typeof hardenedRecord>, waivers = {}) {
  return decide(factsOf({ ...record, audits: auditsOf(record, waivers) }))
}

describe('all of them', () => {
  it('are in their order, and fit the record', () => {
    const audits = auditsOf(hardenedRecord())
    expect(audits.map(({ name }) => name)).toEqual(auditNames)
    expect(audits.map(({ group, number }) => `${group} ${number}`)).toEqual([
      ...redFlags.map((_, index) => `red-flag ${index + 1}`),
      ...weakOracles.map((_, index) => `weak-oracle ${index + 1}`),
    ])
    expect(scenarioRecordSchema.shape.audits.parse(audits)).toEqual(audits)
  })

  it('let a scenario pass of which nothing bad can be said', () => {
    expect(ruled(hardenedRecord()).verdict).toBe('PASS-hardening')
  })

  it('look at the runs of seeds only', () => {
    const [first, ...others] = hardenedRuns()
    for (const purpose of ['experiment', 'rerun'] as const) {
      const other = { ...first!, purpose, logScan: null, seed: 99 }
      expect(auditsOf(hardenedRecord({ runs: [first!, ...others, other] }))).toEqual(
        auditsOf(hardenedRecord()),
      )
    }
  })

  it.each(auditNames)(
    '%s keeps a scenario from PASS-hardening while it is unmet, and from any pass if it blocks it',
    (name) => {
      const unmet = auditsOf(hardenedRecord()).map((audit) =>
        audit.name === name ? { ...audit, result: 'unmet' as const, evidence: ['because'] } : audit,
      )
      const { blocks, downgrade } = unmet.find((audit) => audit.name === name)!
      const ruling = decide(factsOf(hardenedRecord({ audits: unmet })))
      expect(ruling).toMatchObject({ verdict: downgrade, row: blocks === 'PASS' ? 8 : 9 })
      expect(ruling.reason).toContain(`${name}: because`)
      const smoke = hardenedRecord({ audits: unmet, budget: { smoke: hardenedRecord().budget!.smoke } })
      expect(decide(factsOf(smoke)).verdict).toBe(blocks === 'PASS' ? downgrade : 'PASS-smoke')
    },
  )

  it('a system that never came back does not pass at all, one that is only degraded may pass as smoke', () => {
    expect(auditNamed('recovered-to-nominal', hardenedRecord()).blocks).toBe('PASS-hardening')
    const never = hardenedRecord({ runs: hardenedRuns({ recoveryMs: null }) })
    expect(auditNamed('recovered-to-nominal', never).blocks).toBe('PASS')
    expect(ruled(never)).toMatchObject({ verdict: 'PARTIAL-surface', row: 8 })
  })

  it('count as unmet when one was not evaluated', () => {
    const audits = auditsOf(hardenedRecord()).slice(1)
    expect(decide(factsOf(hardenedRecord({ audits }))).reason).toMatch(/load-produced: it was not evaluated/)
  })
})

describe('what is no number', () => {
  const runs = hardenedRuns()
  const [first] = runs
  const service = first!.nominal!.before!
  it.each<[AuditName, Partial<RunRecord>]>([
    ['duration-met', { durationMs: NaN }],
    ['not-short-runs-only', { durationMs: NaN }],
    ['load-produced', { load: { ...first!.load!, invoked: NaN } }],
    ['load-produced', { load: { ...first!.load!, ok: NaN } }],
    ['load-produced', { load: { ...first!.load!, slices: [slice(0, { fromMs: NaN, invoked: 0 })] } }],
    ['no-silent-no-op', { faults: [{ ...oneWay, exposure: { ...oneWay.exposure!, exposed: NaN } }] }],
    ['no-silent-no-op', { faults: [{ ...oneWay, injected_ts: NaN }] }],
    ['recovered-to-nominal', { nominal: { before: { ...service, operations: NaN }, after: service } }],
    ['recovered-to-nominal', { nominal: { before: { ...service, rate: NaN }, after: service } }],
    ['recovered-to-nominal', { nominal: { before: service, after: { ...service, rate: NaN } } }],
    ['recovered-to-nominal', { nominal: { before: service, after: { ...service, okShare: NaN } } }],
    ['recovered-to-nominal', { nominal: { before: service, after: { ...service, p99: NaN } } }],
  ])('does not meet %s', (name, changes) => {
    const record = hardenedRecord({ runs: runs.map((run) => ({ ...run, ...changes })) })
    expect(auditNamed(name, record).result).toBe('unmet')
  })

  it('meets no tier', () => {
    expect(tierMetBy(hardenedRecord({ runs: hardenedRuns({ durationMs: NaN }) }))).toBe('none')
  })
})

describe('a waiver', () => {
  const unread = hardenedRecord({ runs: hardenedRuns({ logScan: null }) })
  const because = 'the service keeps its logs to itself'

  it('lets a scenario pass over an unmet check, and is told with its reason', () => {
    expect(ruled(unread).verdict).toBe('PARTIAL-surface')
    const ruling = ruled(unread, { 'no-swallowed-errors': because })
    expect(ruling.verdict).toBe('PASS-hardening')
    expect(ruling.reason).toMatch(
      /1 check waived: no-swallowed-errors \(the service keeps its logs to itself\)\.$/,
    )
    expect(auditNamed('no-swallowed-errors', unread, { 'no-swallowed-errors': because })).toMatchObject({
      result: 'unmet',
      waiver: because,
    })
  })

  it('of a check that is met, or does not apply, is told as needless', () => {
    const ruling = ruled(hardenedRecord(), { replicated: 'x', 'not-one-topology': 'y' })
    expect(ruling.verdict).toBe('PASS-hardening')
    expect(ruling.reason).toMatch(
      /The waiver of replicated is needless\. The waiver of not-one-topology is needless\.$/,
    )
  })

  it('covers its own check only', () => {
    expect(ruled(unread, { replicated: because }).verdict).toBe('PARTIAL-surface')
  })

  it('does not lend the seeds that hardening needs', () => {
    const one = hardenedRecord({
      runs: hardenedRuns().slice(0, 1),
      budget: { ...hardenedRecord().budget!, hardening: { duration: '30s', nodes: 3, faults: 1, seeds: 1 } },
    })
    const ruling = ruled(one, { replicated: 'x', 'not-one-seed': 'x', 'oracle-ran': 'x' })
    expect(ruling).toMatchObject({ verdict: 'PARTIAL-model', row: 9 })
    expect(ruling.reason).toMatch(/1 seed agreed, 3 are needed/)
  })
})
