import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aggregates, aggregateVerdict, scenarioVerdicts, type Judged } from '../../src/verdict/arms.js'
import { sessionVerdict } from '../../src/verdict/session.js'
import { verdicts, type Verdict } from '../../src/verdict/verdict.js'

const of = (...given: readonly Verdict[]) =>
  aggregateVerdict(given.map((verdict) => ({ ruling: { verdict } })))

function arm(name: string, verdict: Verdict, id = 'S5'): Judged {
  return {
    id: `${id}/${name}`,
    name: `scenario_${id} > ${name}`,
    arm: { of: `scenario_${id}`, id, name },
    boundary: null,
    ruling: { verdict },
  }
}

const alone = (id: string, verdict: Verdict): Judged => ({
  id,
  name: id,
  arm: null,
  boundary: null,
  ruling: { verdict },
})

describe('aggregateVerdict', () => {
  it.each<[string, readonly Verdict[], Verdict]>([
    ['an arm that failed fails it', ['PASS-hardening', 'FAIL-reproducible'], 'FAIL-reproducible'],
    ['also when it was not seen again', ['PASS-smoke', 'FAIL-nondeterministic'], 'FAIL-nondeterministic'],
    [
      'and the reproducible one says more',
      ['FAIL-nondeterministic', 'FAIL-reproducible'],
      'FAIL-reproducible',
    ],
    ['whatever the others are', ['NOT-RUN', 'INCONCLUSIVE-env', 'FAIL-reproducible'], 'FAIL-reproducible'],
    ['an arm that was not run caps it', ['PASS-hardening', 'NOT-RUN'], 'PARTIAL-surface'],
    ['an arm with a part of the surface caps it', ['PASS-hardening', 'PARTIAL-surface'], 'PARTIAL-surface'],
    ['an arm with a part of the model caps it', ['PASS-hardening', 'PARTIAL-model'], 'PARTIAL-surface'],
    ['also when it is the only one', ['PARTIAL-model'], 'PARTIAL-surface'],
    ['an arm without a lack of the machine', ['PASS-smoke', 'INCONCLUSIVE-env'], 'PARTIAL-surface'],
    ['an arm whose oracle cannot tell', ['PASS-smoke', 'INCONCLUSIVE-oracle-too-weak'], 'PARTIAL-surface'],
    ['an arm whose fault is not proven', ['PASS-smoke', 'INCONCLUSIVE-fault-not-proven'], 'PARTIAL-surface'],
    ['a part and nothing else', ['PARTIAL-model', 'INCONCLUSIVE-env', 'NOT-RUN'], 'PARTIAL-surface'],
    ['no arm ran', ['NOT-RUN', 'NOT-RUN'], 'NOT-RUN'],
    ['no arm settled anything', ['NOT-RUN', 'INCONCLUSIVE-env'], 'INCONCLUSIVE-env'],
    [
      'the first that was not settled speaks',
      ['INCONCLUSIVE-fault-not-proven', 'INCONCLUSIVE-env'],
      'INCONCLUSIVE-fault-not-proven',
    ],
    ['the weakest pass', ['PASS-hardening', 'PASS-smoke'], 'PASS-smoke'],
    ['hardened in all arms', ['PASS-hardening', 'PASS-hardening'], 'PASS-hardening'],
  ])('%s', (_, arms, expected) => {
    expect(of(...arms)).toBe(expected)
  })

  it('never passes with an arm that does not, nor hides a failure; and the order of arms does not matter for either', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...verdicts), { minLength: 1, maxLength: 5 }), (arms) => {
        const verdict = of(...arms)
        expect(verdict.startsWith('PASS-')).toBe(arms.every((one) => one.startsWith('PASS-')))
        expect(verdict.startsWith('FAIL-')).toBe(arms.some((one) => one.startsWith('FAIL-')))
        expect(verdict === 'PASS-hardening').toBe(arms.every((one) => one === 'PASS-hardening'))
      }),
    )
  })

  it('needs an arm', () => {
    expect(() => of()).toThrow(RangeError)
  })
})

describe('aggregates', () => {
  it('says which arms decided', () => {
    const records = [
      arm('api', 'PASS-smoke'),
      alone('S1', 'PASS-smoke'),
      arm('export', 'FAIL-reproducible'),
      arm('api', 'PASS-hardening', 'S6'),
      arm('export', 'NOT-RUN', 'S6'),
      arm('api', 'PASS-hardening', 'S7'),
    ]
    expect(aggregates(records).map(({ id, name, verdict, reason }) => [id, name, verdict, reason])).toEqual([
      ['S5', 'scenario_S5', 'FAIL-reproducible', 'An arm failed: api PASS-smoke, export FAIL-reproducible.'],
      ['S6', 'scenario_S6', 'PARTIAL-surface', '1 of 2 arms passed: api PASS-hardening, export NOT-RUN.'],
      ['S7', 'scenario_S7', 'PASS-hardening', '1 arm passed: api PASS-hardening.'],
    ])
  })

  it('counts an arm of which there is no record as one that was not run', () => {
    const arms = ['api', 'export'].map((name) => ({ name, surfaces: [name] }))
    const beside = { ...arm('api', 'PASS-hardening'), boundary: { arms } }
    expect(aggregates([beside])).toMatchObject([
      {
        verdict: 'PARTIAL-surface',
        reason: '1 of 2 arms passed: api PASS-hardening, export NOT-RUN.',
        arms: [{ id: 'S5/api' }],
      },
    ])
    expect(aggregates([beside, arm('export', 'PASS-smoke')])).toMatchObject([{ verdict: 'PASS-smoke' }])
    const failed = { ...arm('api', 'FAIL-reproducible'), boundary: { arms } }
    expect(aggregates([failed])).toMatchObject([{ verdict: 'FAIL-reproducible' }])
  })
})

describe('the verdict of a session', () => {
  const session = (...records: readonly Judged[]) => sessionVerdict(scenarioVerdicts(records))

  it('counts scenarios with arms as a whole', () => {
    expect(
      scenarioVerdicts([arm('api', 'PASS-smoke'), alone('S1', 'NOT-RUN'), arm('export', 'NOT-RUN')]),
    ).toEqual(['NOT-RUN', 'PARTIAL-surface'])
    expect(session(arm('api', 'PASS-smoke'), arm('export', 'FAIL-nondeterministic'))).toBe('FAIL')
    expect(session(arm('api', 'PASS-smoke'), arm('export', 'PASS-smoke'))).toBe('DONE')
    expect(session(alone('S1', 'PASS-smoke'), arm('api', 'PASS-smoke'), arm('export', 'NOT-RUN'))).toBe(
      'DONE_WITH_CONCERNS',
    )
    expect(session(arm('api', 'PASS-smoke'), arm('export', 'PARTIAL-model'))).toBe('INCONCLUSIVE')
    expect(session(arm('api', 'NOT-RUN'), arm('export', 'INCONCLUSIVE-env'))).toBe('BLOCKED')
  })
})
