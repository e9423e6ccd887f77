import { isSeriousCategory } from '../../../claim/claim.js'
import { ids, type OutlinedScenario } from './outline.js'
import { bullets, open, table } from './text.js'

/** Section 7: one scenario for the claims of each category. */
export function scenariosSection(scenarios: readonly OutlinedScenario[], slug: string): string {
  return scenarios.map((scenario) => scenarioOf(scenario, slug)).join('\n\n')
}

function scenarioOf(scenario: OutlinedScenario, slug: string): string {
  const { id, category, claims, hypotheses, technique } = scenario
  const faults = suggested(scenario, ({ faults: names }) => names)
  return [
    `### ${id}: ${open('name it after what it claims and under what, such as linearizable_append_under_partition')}`,
    bullets([
      `**Falsifies:** ${ids(claims)}`,
      `**Closes:** ${ids(hypotheses)}`,
      `**Technique:** ${technique}`,
      `**Workload:** ${open('how many clients do what to which objects')}`,
      `**Faults:** ${open(`by the taxonomy${such(faults)}; or none`)}`,
      `**Oracle:** ${open('a checker, an invariant over the final state, or a threshold with its number')}`,
      `**Observability:** ${open('what shows that the fault landed, and what the system did')}`,
      `**Exit criteria:** ${open('when it is over, and what it must have reached')}`,
      `**Target test file:** \`test/${slug}/${id.toLowerCase()}.scenario.ts\``,
      '**Skeleton language:** typescript',
    ]),
    table(
      ['Tier', 'Duration', 'Nodes', 'Faults', 'Seeds'],
      [
        ['smoke', '5s', '1', '1', '1'],
        ['hardening', '30s', '3', '3', '3'],
        ['release', open('a budget, or why there is none and when to look again'), '', '', ''],
      ],
    ),
    ...(isSeriousCategory(category) ? [modelBlock(scenario, faults)] : []),
    ...(category === 'boundary' || category === 'fairness' ? [armsBlock(scenario)] : []),
    ['```ts', `scenario.todo('${slug}_${id.toLowerCase()}', { id: '${id}' })`, '```'].join('\n'),
  ].join('\n\n')
}

function modelBlock(scenario: OutlinedScenario, faults: readonly string[]): string {
  const models = suggested(scenario, (pitfall) => pitfall.models)
  const checkers = suggested(scenario, (pitfall) => pitfall.checkers)
  return [
    '#### 7.M Model, history and checker',
    bullets([
      `**Model under test:** ${open(`one model${such(models)}`)}`,
      `**Operation history:** ${open('who records which operations, and where')}`,
      `**Checker:** ${open(`checkers that fit${such(checkers)}`)}`,
      `**Nemesis and landing:** ${open(`the faults${such(faults)}, and what proves that each has landed`)}`,
      `**Ambiguous outcomes:** ${open('what a time-out and a retry mean here')}`,
      `**Reduction plan:** ${open('what is taken away first when it fails, and how the blame is found')}`,
    ]),
  ].join('\n\n')
}

const armRows: readonly (readonly [field: string, what: string])[] = [
  ['Keys', 'what tells one scope from another'],
  ['Surfaces', 'at most three'],
  ['Operations', 'what is done on it'],
  ['Positive controls', 'what must be visible or allowed'],
  ['Negative controls', 'what must be refused, and where the refusal shows'],
  ['Confusable identifiers', 'such as prefix collision, case folding, a recycled id'],
  ['Delayed paths', 'what comes later, or none and why'],
  ['Background paths', 'what happens without a request, or none and why'],
  ['Observability paths', 'logs, metrics and traces that could tell too much'],
  ['Oracle', 'one invariant over what was read'],
  ['Minimum smoke budget', 'such as 5s, 1 node, 1 fault, 1 seed'],
  ['Minimum hardening budget', 'such as 30s, 3 nodes, 3 faults, 3 seeds'],
]

function armsBlock({ claims }: OutlinedScenario): string {
  return [
    '#### 7.M.S Arms',
    table(
      ['Field', open('a name for each arm')],
      [['Claim', ids(claims)], ...armRows.map(([field, what]) => [field, open(what)])],
    ),
  ].join('\n\n')
}

type Pitfall = NonNullable<OutlinedScenario['hypotheses'][number]['walked']>['pitfall']

/** What the pitfalls that may apply suggest, the best of each first. */
function suggested(
  { hypotheses }: OutlinedScenario,
  names: (pitfall: Pitfall) => readonly string[],
): string[] {
  const all = hypotheses.flatMap(({ walked }) => (walked === null ? [] : names(walked.pitfall).slice(0, 2)))
  return [...new Set(all)].slice(0, 4)
}

function such(names: readonly string[]): string {
  return names.length === 0 ? '' : `, such as ${names.join(', ')}`
}
