import { beforeAll, describe, expect, it } from 'vitest'
import { aggregates } from '../../src/verdict/arms.js'
import { runExample, type ExampleRun } from './run-example.js'

const whole = ({ session }: ExampleRun) =>
  aggregates(session.scenarios).map(({ id, verdict, arms }) => [id, verdict, arms.map((arm) => arm.id)])

describe('examples/tenants', () => {
  let run: ExampleRun

  beforeAll(async () => {
    run = await runExample('tenants', { timeoutMs: 500_000 })
  }, 540_000)

  it('holds its claim through the api, while the service is killed', () => {
    const { ruling, runs } = run.scenario('S1/api')
    expect(ruling).toMatchObject({ verdict: 'PASS-smoke' })
    expect(runs[0]!.faults.map(({ fault, landed }) => [fault, landed])).toEqual([['kill', true]])
    expect(runs[0]!.load!.ok).toBeGreaterThan(50)
    expect(runs[0]!.controls).toHaveLength(7)
    for (const { held, kind, detail } of runs[0]!.controls) {
      expect([held, detail]).toEqual([true, expect.stringContaining('seen: ')])
      if (kind === 'negative') expect(detail).toMatch(/^refused: 403 .*; seen: in the audit log/)
    }
  })

  it('leaks through the export, seen by the oracle and by the control for names that begin alike', () => {
    const { ruling, runs } = run.scenario('S1/export')
    expect(ruling).toMatchObject({ verdict: 'FAIL-reproducible' })
    const violated = runs[0]!.checks.filter(({ valid }) => valid === false)
    expect(violated.map(({ checker }) => checker)).toEqual(['linearizable', 'controls'])
    expect(violated[0]!.anomalies[0]!.operations.length).toBeLessThanOrEqual(6)
    const crossed = runs[0]!.controls.filter(({ held }) => !held)
    expect(crossed.map(({ name }) => name)).toEqual([
      'an export has the document of another tenant (prefix-collision)',
    ])
    expect(crossed[0]!.detail).toMatch(/^not refused: it answered \[/)
  })

  it('fails as a whole, in the session and on the terminal', () => {
    expect(whole(run)).toEqual([['S1', 'FAIL-reproducible', ['S1/api', 'S1/export']]])
    expect(run.session.verdict).toBe('FAIL')
    expect(run.exitCode).toBe(1)
    expect(run.output).toMatch(
      /FAIL-reproducible {2}a_tenant_sees_its_own_documents_only {2}S1, all arms: An arm failed: api PASS-smoke, export FAIL-reproducible/,
    )
    expect(run.output).toContain('session FAIL  1 FAIL-reproducible')
  })

  it('records what each arm covers', () => {
    const { arm, boundary } = run.scenario('S1/export')
    expect(arm).toEqual({ of: 'a_tenant_sees_its_own_documents_only', id: 'S1', name: 'export' })
    expect(boundary!.arms.map(({ name }) => name)).toEqual(['api', 'export'])
    expect(boundary!.matrix).toMatchObject({
      claim: ['C1'],
      operations: ['add', 'read'],
      asyncPaths: ['the job that collects the documents'],
      oracle: ['linearizable'],
    })
    expect(boundary!.matrix.confusableIdentifiers).toContain('prefix-collision')
  })
})

it('examples/tenants without the bug passes in both arms, and as a whole', { timeout: 360_000 }, async () => {
  const run = await runExample('tenants', { timeoutMs: 330_000, env: { EXPORT: 'exact' } })
  expect(whole(run)).toEqual([['S1', 'PASS-smoke', ['S1/api', 'S1/export']]])
  expect(run.session.verdict).toBe('DONE')
  expect(run.exitCode).toBe(0)
})
