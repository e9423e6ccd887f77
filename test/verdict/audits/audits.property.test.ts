import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { categories } from '../../../src/claim/claim.js'
import type { FaultWindow } from '../../../src/nemesis/evidence.js'
import { faults } from '../../../src/nemesis/faults/index.js'
import { factsOf } from '../../../src/scenario/ruling/facts.js'
import type { RunRecord, ScenarioRecord } from '../../../src/session/record.js'
import { auditNames } from '../../../src/verdict/audits/audit.js'
import { auditsOf } from '../../../src/verdict/audits/audits-of.js'
import { decide } from '../../../src/verdict/decide.js'
import { tierMetBy } from '../../../src/verdict/tier.js'
import { hardenedRecord, hardenedRun, oneWay, slice } from '../hardened.js'

const green = hardenedRun()
const [check] = green.checks

/** Mostly as in a session of which nothing bad can be said, else as drawn. */
function mostly<T>(good: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 24, arbitrary: fc.constant(good) }, other)
}

const number = fc.nat(2_000)
const anyExposure = fc.record({
  overlapping: number,
  exposed: number,
  ok: number,
  failed: number,
  unknown: number,
})

const anyWindow: fc.Arbitrary<FaultWindow> = fc.record({
  id: fc.constantFrom('F1', 'F2'),
  fault: fc.constantFrom<string[]>('own-fault', ...Object.keys(faults)),
  target: fc.constant('n1'),
  mechanism: fc.constant(null),
  injected_ts: fc.nat(30_000).map((ms) => ms * 1e6),
  landed_ts: fc.constant(1),
  healed_ts: fc.option(
    fc.nat(30_000).map((ms) => ms * 1e6),
    { freq: 5 },
  ),
  landed: mostly(true, fc.constant(false)),
  cause: mostly<string | null>(null, fc.constant('it leaked')),
  evidence: fc.nat(2).map((lacking) => oneWay.evidence.slice(lacking)),
  healed: fc.constant([]).map(() => []),
  exposure: fc.option(anyExposure, { freq: 5 }),
})

const anyService = fc.option(
  fc.record({
    from_ts: fc.constant(0),
    to_ts: fc.constant(1e9),
    operations: number,
    okShare: fc.double({ min: 0, max: 1, noNaN: true }),
    rate: fc.double({ min: 0, max: 500, noNaN: true }),
    p99: fc.option(fc.double({ min: 0, max: 500, noNaN: true })),
  }),
)

const anyCheck = fc.record({
  checker: fc.constantFrom('linearizable', 'slo', 'fairness'),
  valid: fc.constantFrom(true, true, true, false, 'unknown' as const),
  operations: fc.nat(3),
  coverage: fc.constantFrom('all' as const, 'subset' as const),
})

const anyRun: fc.Arbitrary<RunRecord> = fc
  .record({
    seed: fc.nat(9),
    purpose: mostly<RunRecord['purpose']>('seed', fc.constantFrom('rerun' as const, 'experiment' as const)),
    durationMs: mostly(30_000, fc.nat(60_000)),
    system: mostly('quorum', fc.constant('five')),
    nodes: mostly(
      green.nodes,
      fc.constantFrom(1, 5).map((count) => Array.from({ length: count }, (_, index) => `n${index + 1}`)),
    ),
    recording: mostly(green.recording, fc.constant({ mechanism: 'combined', clock: 'wall' })),
    load: mostly(
      green.load,
      fc.option(
        fc.record({
          loop: fc.constantFrom('open' as const, 'closed' as const),
          intendedRate: fc.option(fc.nat(500)),
          invoked: number,
          ok: number,
          failed: number,
          unknown: number,
          rate: number,
          slices: fc.array(
            fc
              .record({ invoked: fc.nat(300), intended: fc.option(fc.nat(300)) })
              .map((drawn) => slice(0, drawn)),
            { maxLength: 3 },
          ),
          latency: fc.constant(null),
        }),
      ),
    ),
    faults: mostly(green.faults, fc.array(anyWindow, { maxLength: 3 })),
    schedule: mostly(
      green.schedule,
      fc.nat(1).map((count) => green.schedule.slice(count)),
    ),
    recoveryMs: mostly(green.recoveryMs, fc.option(number)),
    nominal: mostly(green.nominal, fc.option(fc.record({ before: anyService, after: anyService }))),
    logScan: mostly(
      green.logScan,
      fc.option(
        fc.record({
          files: fc.nat(2),
          lines: number,
          matches: fc.array(
            fc.record({
              pattern: fc.constant('panic'),
              file: fc.constant('n1.log'),
              line: number,
              text: fc.constant('panic: index'),
              count: number,
              ignored: fc.option(fc.constant('known')),
            }),
            { maxLength: 1 },
          ),
          unread: fc.array(fc.constant('n2.log'), { maxLength: 1 }),
        }),
      ),
    ),
    host: mostly(green.host, fc.constant(null)),
    checks: mostly(
      green.checks,
      fc.array(anyCheck, { maxLength: 3 }).map((drawn) => drawn.map((one) => ({ ...check!, ...one }))),
    ),
    weak: mostly<string[]>([], fc.constant(['no node_seen'])),
    error: mostly<RunRecord['error']>(
      null,
      fc.constant({ phase: 'drive', kind: 'environment', message: 'gone', hint: null }),
    ),
  })
  .map((drawn) => ({ ...green, ...drawn, name: `seed-${drawn.seed}` }))

const anyRecord: fc.Arbitrary<ScenarioRecord> = fc
  .record({
    runs: fc.oneof(
      {
        weight: 3,
        arbitrary: fc.uniqueArray(anyRun, { minLength: 3, maxLength: 4, selector: ({ seed }) => seed }),
      },
      fc.array(anyRun, { maxLength: 4 }),
    ),
    serious: fc.boolean(),
    claims: fc
      .tuple(
        mostly(['safety' as const], fc.subarray([...categories], { minLength: 1 })),
        mostly(false, fc.boolean()),
      )
      .map(([drawn, anySize]) =>
        hardenedRecord().claims.map((claim) => ({ ...claim, categories: drawn, anySize })),
      ),
    topologies: mostly<string[]>([], fc.constant(['five'])),
    checkers: mostly(
      hardenedRecord().checkers,
      fc.array(
        fc.record<ScenarioRecord['checkers'][number]>({
          name: fc.constantFrom('linearizable', 'slo', 'fairness'),
          pattern: fc.integer({ min: 1, max: 14 }),
          scope: fc.constant([]).map(() => []),
          usesModel: fc.boolean(),
          misfit: fc.option(fc.constant('another'), { freq: 5, nil: null }),
        }),
        { maxLength: 2 },
      ),
    ),
    budget: mostly(hardenedRecord().budget, fc.constant(null)),
    tierAttempted: fc.constantFrom('smoke' as const, 'hardening' as const, 'release' as const),
  })
  .map((drawn) => {
    const record = hardenedRecord(drawn)
    return { ...record, tierMet: tierMetBy(record) }
  })

const anyWaivers = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.dictionary(fc.constantFrom(...auditNames), fc.constant('because'), { maxKeys: 3 }),
)

/** The record with its audits, and what was decided on it. */
const ruled = fc.tuple(anyRecord, anyWaivers).map(([record, waivers]) => {
  const audits = auditsOf(record, waivers)
  return { record, audits, ruling: decide(factsOf({ ...record, audits })) }
})

describe('whatever was recorded', () => {
  it('no check throws, and each cites evidence', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const audits = auditsOf(record)
        expect(audits.map(({ name }) => name)).toEqual(auditNames)
        expect(audits.filter(({ evidence }) => evidence.length === 0 || evidence.includes(''))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('nothing passes over an unmet check that blocks it, unless a waiver says why', () => {
    fc.assert(
      fc.property(ruled, ({ audits, ruling }) => {
        if (!ruling.verdict.startsWith('PASS-')) return
        const unmet = audits.filter(({ result, waiver }) => result === 'unmet' && waiver === null)
        const blocking =
          ruling.verdict === 'PASS-hardening' ? unmet : unmet.filter(({ blocks }) => blocks === 'PASS')
        expect(blocking.map(({ name }) => name)).toEqual([])
        for (const { name, result, waiver } of audits) {
          if (result === 'unmet' && waiver !== null) expect(ruling.reason).toContain(`${name} (because)`)
        }
      }),
      { numRuns: 1_500 },
    )
  })

  it('what is hardened has, without waivers, everything that it takes', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const { verdict } = decide(factsOf({ ...record, audits: auditsOf(record) }))
        if (verdict !== 'PASS-hardening') return
        const seeds = record.runs.filter(({ purpose }) => purpose === 'seed')
        expect(seeds.filter(({ error }) => error !== null)).toEqual([])
        expect(new Set(seeds.map(({ seed }) => seed)).size).toBeGreaterThanOrEqual(3)
        expect(['hardening', 'release']).toContain(record.tierMet)
        const windows = seeds.flatMap((run) => run.faults)
        expect(windows.length).toBeGreaterThan(0)
        expect(windows.filter(({ landed, exposure }) => !landed || !exposure?.exposed)).toEqual([])
        for (const { load, logScan, recoveryMs, nominal, recording, checks, faults: own } of seeds) {
          if (load !== null) expect(load.ok).toBeGreaterThan(0)
          expect(logScan?.files).toBeGreaterThan(0)
          expect(logScan?.matches.filter(({ ignored }) => ignored === null)).toEqual([])
          expect(recoveryMs).not.toBeNull()
          if (own.length > 0) expect([nominal?.before ?? null, nominal?.after ?? null]).not.toContain(null)
          expect(recording.clock).toBe('monotonic')
          expect(checks.length).toBeGreaterThan(0)
          expect(checks.filter(({ valid, operations }) => valid !== true || operations === 0)).toEqual([])
        }
      }),
      { numRuns: 1_500 },
    )
  })

  it('the generator reaches passes of both kinds, with and without waivers', () => {
    const reached = fc.sample(ruled, { numRuns: 2_000, seed: 7 })
    const count = (verdict: string, waived: boolean) =>
      reached.filter(
        ({ audits, ruling }) =>
          ruling.verdict === verdict &&
          audits.some(({ result, waiver }) => result === 'unmet' && waiver !== null) === waived,
      ).length
    expect(count('PASS-hardening', false)).toBeGreaterThan(5)
    expect(count('PASS-hardening', true)).toBeGreaterThan(0)
    expect(count('PASS-smoke', false)).toBeGreaterThan(5)
    expect(new Set(reached.map(({ ruling }) => ruling.verdict)).size).toBeGreaterThan(6)
  })
})
