import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { adequacyOf } from '../../src/plan/measure/claims.js'
import { coverageOf } from '../../src/plan/measure/hypotheses.js'
import { parsePlan } from '../../src/plan/parse/parse.js'
import type { Verdict } from '../../src/verdict/verdict.js'
import { scenarioRecord } from '../session/records.js'

const source = readFileSync(new URL('../fixtures/plans/orders.md', import.meta.url), 'utf8')
const plan = parsePlan(source, 'orders.md')

function ended(id: string, verdict: Verdict, arm?: string) {
  return scenarioRecord({
    id: arm === undefined ? id : `${id}/${arm}`,
    arm: arm === undefined ? null : { of: 'tenants_are_isolated', id, name: arm },
    claims: [],
    ruling: { verdict, row: 9, reason: `because of ${verdict}` },
  })
}

const only = <T extends { readonly id: string }>(items: readonly T[], id: string) =>
  items.find((item) => item.id === id)

describe('coverageOf', () => {
  it('a hypothesis is exercised by a pass or a violation of a scenario that closes it', () => {
    const coverage = coverageOf(plan, [ended('S1', 'FAIL-reproducible'), ended('S2', 'INCONCLUSIVE-env')])
    expect(only(coverage, 'H1')).toMatchObject({ exercised: true, why: null, claims: ['C1'] })
    expect(only(coverage, 'H3')).toMatchObject({
      exercised: false,
      why: 'S2 is INCONCLUSIVE-env: because of INCONCLUSIVE-env',
    })
    expect(only(coverage, 'H6')?.why).toBe('S3 is NOT-RUN: nothing of it was recorded in this session')
  })

  it('says that no scenario closes a hypothesis', () => {
    const coverage = coverageOf({ ...plan, scenarios: [], coverage: [] }, [])
    expect(coverage.map(({ why }) => why)).toEqual(coverage.map(() => 'no scenario of the plan closes it'))
  })
})

describe('adequacyOf', () => {
  const adequacy = (...records: ReturnType<typeof ended>[]) => adequacyOf(plan, records)

  it('a claim is supported when all that the argument rests on earned hardened passes', () => {
    const all = adequacy(ended('S1', 'PASS-hardening'), ended('S2', 'PASS-hardening'))
    expect(only(all, 'C1')).toMatchObject({
      adequacy: 'supported',
      confidence: 'more',
      argued: 'both ways to lose a write are driven while clients check',
    })
  })

  it('a smoke pass, or a scenario of the argument that did not run, weakens it', () => {
    expect(only(adequacy(ended('S1', 'PASS-hardening'), ended('S2', 'PASS-smoke')), 'C1')).toMatchObject({
      adequacy: 'weakly supported',
      confidence: 'unchanged',
      why: '1 of 2 earned a hardened pass; S2 is PASS-smoke',
    })
    expect(only(adequacy(ended('S1', 'PASS-hardening')), 'C1')?.why).toContain('S2 is NOT-RUN')
  })

  it('one violation falsifies it', () => {
    const [c1] = adequacy(ended('S1', 'FAIL-nondeterministic'), ended('S2', 'PASS-hardening'))
    expect(c1).toMatchObject({ adequacy: 'falsified', confidence: 'less', why: 'S1 found a violation' })
  })

  it('nothing that passed supports nothing', () => {
    expect(only(adequacy(ended('S2', 'PARTIAL-model')), 'C2')).toMatchObject({
      adequacy: 'unsupported',
      why: 'none of S2 passed',
    })
  })

  it('counts every arm', () => {
    const arms = adequacy(ended('S3', 'PASS-hardening', 'api'), ended('S3', 'FAIL-reproducible', 'export'))
    expect(only(arms, 'C3')).toMatchObject({ adequacy: 'falsified', why: 'S3/export found a violation' })
  })

  it('without a plan it goes by the claims that the scenarios declare', () => {
    expect(adequacyOf(null, [scenarioRecord()])).toMatchObject([
      { id: 'C1', argued: null, adequacy: 'weakly supported', confidence: 'unchanged' },
    ])
  })
})
