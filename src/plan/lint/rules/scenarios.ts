import type { Plan, PlanScenario } from '../../plan.js'
import type { Text } from '../../position.js'
import type { Problem, Rule } from '../rule.js'
import { isOpen, isOpenText } from '../rule.js'

const start = { line: 1, column: 1 }

export const scenariosMissing: Rule = {
  code: 'scenarios-missing',
  asks: 'section 7 has at least one scenario',
  check: ({ scenarios, sections }) => {
    if (scenarios.length > 0) return []
    const fix = 'add a heading `### S1: what_the_claim_says` with its fields'
    return [{ at: sections.get('7')?.at ?? start, reason: 'the plan has no scenario', fix }]
  },
}

const fields: readonly (readonly [name: string, value: (scenario: PlanScenario) => Text | null])[] = [
  ['Technique', ({ technique }) => technique],
  ['Workload', ({ workload }) => workload],
  ['Faults', ({ faults }) => faults],
  ['Observability', ({ observability }) => observability],
]

export const scenarioIncomplete: Rule = {
  code: 'scenario-incomplete',
  asks: 'a scenario says what it falsifies and closes, its technique, workload, faults and observability',
  check: ({ scenarios }) =>
    scenarios.flatMap((scenario) => {
      const { at, id, falsifies, closes } = scenario
      const lacks = [
        ...(falsifies.length === 0 ? ['Falsifies'] : []),
        ...(closes.length === 0 ? ['Closes'] : []),
        ...fields.filter(([, value]) => value(scenario) === null).map(([name]) => name),
      ]
      if (lacks.length === 0) return []
      const reason = `${id} lacks ${lacks.join(', ')}`
      return [{ at, reason, fix: `add ${lacks.map((name) => `\`- **${name}:** …\``).join(', ')}` }]
    }),
}

const setUps =
  /^(?:test_)?(?:\d+|one|two|three|four|five|seven)?_?(?:nodes?|clusters?|chaos|stress|soak|load|smoke|basic|simple|setup|random)(?:_|$)|_(?:chaos|stress|soak|setup|test|tests)$/i

export const nameAfterSetUp: Rule = {
  code: 'name-after-set-up',
  asks: 'a scenario is named after what it claims, not after its set-up',
  check: ({ scenarios }) =>
    scenarios
      .filter(({ name }) => setUps.test(name))
      .map(({ at, id, name }) => ({
        at,
        reason: `${id} is called ${name}, which says how it is set up`,
        fix: 'say what must hold and under what, such as linearizable_append_under_partition',
      })),
}

export const oracleMissing: Rule = {
  code: 'oracle-missing',
  asks: 'every scenario has an oracle',
  check: ({ scenarios }) =>
    scenarios
      .filter(({ oracle }) => oracle === null)
      .map(({ at, id }) => ({
        at,
        reason: `${id} has no oracle: a run of it proves nothing`,
        fix: 'add `- **Oracle:** …` with a checker, a threshold or an invariant',
      })),
}

/** What only a person can judge, or what says nothing about the claim. */
const vague =
  /\b(?:looks? (?:fine|good|ok|okay|right|healthy|normal|sane)|by eye|eyeball|visual(?:ly)?|manual(?:ly)?|seems?|no errors? in (?:the )?logs?|logs? (?:are|is) (?:clean|fine|ok)|works? as expected|behaves? (?:correctly|well)|should be (?:fine|ok)|nothing (?:bad|weird|strange))\b/i

/** What a machine can decide by. */
const checkable =
  /\b(?:lineari[sz]\w*|seriali[sz]\w*|sequential\w*|consisten\w*|monotonic|invariant|equal\w*|exactly[- ]once|at[- ]least[- ]once|lost|duplicat\w*|prefix|order\w*|exclusion|fenc\w+|differential|reference|model|assert\w*|propert\w+|reconcil\w*|replay|slo|threshold|p\d\d|percentile|baseline|bootstrap|fair\w*|availab\w*|total|stale\w*|isolation|within)\b|[<>≤≥=]\s*\d|\d+(?:\.\d+)?\s*(?:%|ms\b|s\b)/i

export const oracleNotCheckable: Rule = {
  code: 'oracle-not-checkable',
  asks: 'an oracle is one that a machine can decide by; "the logs look fine" is none',
  check: ({ scenarios }) =>
    scenarios.flatMap(({ id, oracle }) => {
      if (oracle === null || isOpen(oracle)) return []
      const match = vague.exec(oracle.text)
      if (match === null && checkable.test(oracle.text)) return []
      const reason =
        match === null
          ? `the oracle of ${id} names nothing that a machine can decide by`
          : `the oracle of ${id} rests on "${match[0]}"`
      const fix = 'name a checker, an invariant over the final state, or a threshold with its number'
      return [{ at: oracle.at, reason, fix }]
    }),
}

export const exitCriteriaMissing: Rule = {
  code: 'exit-criteria-missing',
  asks: 'every scenario has exit criteria that say when it is over and what it must have reached',
  check: ({ scenarios }) =>
    scenarios
      .filter(({ exitCriteria }) => exitCriteria === null)
      .map(({ at, id }) => ({
        at,
        reason: `${id} has no exit criteria`,
        fix: 'add `- **Exit criteria:** …`: what has run, what has landed, what was not observed',
      })),
}

export const techniqueUnselected: Rule = {
  code: 'technique-unselected',
  asks: 'the technique of a scenario is one that section 6 selects',
  check: ({ scenarios, techniques }: Plan) =>
    scenarios.flatMap(({ id, technique }): Problem[] => {
      if (technique === null || isOpen(technique)) return []
      const selected = techniques.map((row) => row.technique?.text ?? '').filter((text) => text !== '')
      const plain = technique.text.toLowerCase()
      if (selected.some((name) => isOpenText(name) || plain.includes(name.toLowerCase()))) return []
      return [
        {
          at: technique.at,
          reason: `${id} uses "${technique.text}", which section 6 does not select`,
          fix: `select it there, or use one of ${selected.join(', ') || 'those that you select'}`,
        },
      ]
    }),
}
