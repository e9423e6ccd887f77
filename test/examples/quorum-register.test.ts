import { beforeAll, describe, expect, it } from 'vitest'
import { runExample, type ExampleRun } from './run-example.js'

describe('examples/quorum-register', () => {
  let run: ExampleRun

  beforeAll(async () => {
    run = await runExample('quorum-register', { timeoutMs: 330_000 })
  }, 360_000)

  it('holds its claims with majorities while nodes are cut off and one is killed', () => {
    const { ruling, runs } = run.scenario('S1')
    expect(ruling).toMatchObject({ verdict: 'PASS-smoke' })
    expect(runs[0]?.faults.map(({ fault, landed }) => [fault, landed])).toEqual([
      ['partition', true],
      ['asymmetric-partition', true],
      ['kill', true],
    ])
    // A history without answers holds every claim.
    expect(runs[0]?.load?.ok).toBeGreaterThan(100)
  })

  it('is caught reading from one replica, by a counterexample of a few operations, again and again', () => {
    const { ruling, runs } = run.scenario('S2')
    expect(ruling).toMatchObject({ verdict: 'FAIL-reproducible' })
    const [violation] = runs[0]!.checks.filter(({ valid }) => valid === false)
    expect(violation?.checker).toBe('linearizable')
    expect(violation?.anomalies[0]?.operations.length).toBeGreaterThanOrEqual(2)
    expect(violation?.anomalies[0]?.operations.length).toBeLessThanOrEqual(12)
  })

  it('does not take a cut that nothing met for a fault, and names the silent link', () => {
    const { ruling, runs } = run.scenario('S3')
    expect(ruling).toMatchObject({ verdict: 'INCONCLUSIVE-fault-not-proven' })
    expect(ruling.reason).toMatch(/n2->n3|n3->n2/)
    expect(runs[0]?.checks.map(({ checker, valid }) => [checker, valid])).toEqual([['linearizable', true]])
  })

  it('exits as the default gate says: a violation fails the run', () => {
    expect(run.exitCode).toBe(1)
    expect(run.session.verdict).toBe('FAIL')
  })

  it('shows what the faults did, in numbers before and after', () => {
    const evidence = run.scenario('S1').runs[0]!.faults.flatMap((fault) => fault.evidence)
    for (const side of ['injector', 'victim']) {
      expect(evidence.filter((item) => item.side === side && item.after !== item.before)).not.toEqual([])
    }
  })
})

describe('examples/quorum-register at the tier hardening', () => {
  it('passes with three seeds and all checks met', { timeout: 740_000 }, async () => {
    const { scenario, exitCode } = await runExample('quorum-register', {
      timeoutMs: 700_000,
      env: { NEMESIS_TIER: 'hardening' },
      only: 'quorum_reads_and_writes',
    })
    const { ruling, runs, audits, tierMet } = scenario('S1')
    const unmet = audits.filter(({ result }) => result === 'unmet')
    expect(ruling, JSON.stringify(unmet)).toMatchObject({ verdict: 'PASS-hardening' })
    expect([unmet, tierMet, exitCode]).toEqual([[], 'hardening', 0])
    expect(new Set(runs.map(({ seed }) => seed)).size).toBe(3)
    for (const { faults } of runs) expect(faults.filter(({ landed }) => landed)).toHaveLength(3)
  })
})
