import { describe, expect, it } from 'vitest'
import { headline } from '../../src/findings/render/headline.js'
import { renderMarkdown } from '../../src/findings/render/markdown.js'
import { surfaces } from '../../src/findings/render/report/surfaces.js'
import { results } from '../../src/findings/render/results.js'
import type { ScenarioRecord } from '../../src/session/record.js'
import type { Verdict } from '../../src/verdict/verdict.js'
import { scenarioRecord } from '../session/records.js'

function arm(name: string, verdict: Verdict, changes: Partial<ScenarioRecord> = {}): ScenarioRecord {
  return scenarioRecord({
    id: `S5/${name}`,
    name: `tenants_are_apart > ${name}`,
    arm: { of: 'tenants_are_apart', id: 'S5', name },
    ruling: { verdict, row: 1, reason: 'it was so' },
    ...changes,
  })
}

const lines = (text: string) => text.split('\n')

describe('a scenario with arms in the report', () => {
  it('counts as one in the headline', () => {
    const scenarios = [arm('api', 'PASS-smoke'), scenarioRecord(), arm('export', 'FAIL-reproducible')]
    expect(headline({ scenarios, verdict: 'FAIL' })).toBe(
      '1 of 2 scenarios falsified a claim: S5 falsified C1 (FAIL-reproducible).',
    )
    expect(
      headline({ scenarios: [arm('api', 'PASS-smoke'), arm('export', 'NOT-RUN')], verdict: 'INCONCLUSIVE' }),
    ).toBe('Nothing was settled: none of 1 scenario earned a pass, and no violation was observed.')
  })

  it('has a row for each arm and one for all of them', () => {
    const scenarios = [arm('api', 'PASS-smoke'), arm('export', 'NOT-RUN')]
    const rows = lines(renderMarkdown(results(scenarios))).filter((line) => line.startsWith('| S5'))
    expect(rows).toHaveLength(3)
    expect(rows[2]).toBe(
      '| S5 | **PARTIAL-surface** | - | - | `tenants_are_apart` as a whole: api PASS-smoke, export NOT-RUN |',
    )
  })

  it('names the surfaces of an arm that did not run', () => {
    const matrix = {
      claim: ['C1'],
      keys: ['tenant'],
      surfaces: ['POST /exports', 'GET /exports'],
      operations: [],
      positiveControls: [],
      negativeControls: [],
      confusableIdentifiers: { none: 'x' },
      asyncPaths: { none: 'x' },
      backgroundPaths: { none: 'x' },
      observabilityPaths: { none: 'x' },
      oracle: ['linearizable'],
      minimumSmokeBudget: null,
      minimumHardeningBudget: null,
    }
    const boundary = { matrix, arms: [{ name: 'export', surfaces: matrix.surfaces }] }
    const table = renderMarkdown([surfaces(null, [arm('export', 'NOT-RUN', { boundary, runs: [] })])])
    expect(table).toContain(
      '| S5/export | no plan | no | NOT-RUN | it was so | POST /exports, GET /exports |',
    )
  })
})
