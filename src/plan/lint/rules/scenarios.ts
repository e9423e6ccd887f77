import type { Plan, PlanScenario } from '../../plan.js'
import type { Text } from '../../position.js'
import type { Problem, Rule } from '../rule.js'
import { isOpen, isOpenText, saysNothing } from '../rule.js'
import { faults } from '../../../nemesis/faults/index.js'
import { namedIn, techniqueVocabulary } from '../names.js'

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

/** Words that say with what a scenario runs, none of them what must hold. */
const setUp = new Set([
  ...'node nodes server servers cluster clusters chaos stress soak load smoke basic simple setup set up random test tests'.split(
    ' ',
  ),
  ...'scenario suite case run single multi one two three four five six seven nine network leader follower replica'.split(
    ' ',
  ),
  ...'with and under of the a an on in after during between for then plus vs'.split(' '),
  ...Object.keys(faults).flatMap((name) => name.split('-')),
])
const kindOfTest = /(?:^|_)(?:chaos|stress|soak|load|setup|tests?)$/
const during = /_(?:under|during|in|after|through|despite)_\w+$/

export const nameAfterSetUp: Rule = {
  code: 'name-after-set-up',
  asks: 'a scenario is named after what it claims, not after its set-up',
  check: ({ scenarios }) =>
    scenarios
      .filter(({ name }) => isSetUp(name))
      .map(({ at, id, name }) => ({
        at,
        reason: `${id} is called ${name}, which says how it is set up`,
        fix: 'say what must hold and under what, such as linearizable_append_under_partition',
      })),
}

/** True when nothing but set-up is in the name, or when it ends as a kind of test that nothing is said to hold under. */
function isSetUp(name: string): boolean {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const plain = words.join('_')
  return (
    words.every((word) => /^\d+$/.test(word) || setUp.has(word) || setUp.has(word.replace(/s$/, ''))) ||
    (kindOfTest.test(plain) && !during.test(plain))
  )
}

export const exitCriteriaMissing: Rule = {
  code: 'exit-criteria-missing',
  asks: 'every scenario has exit criteria that say when it is over and what it must have reached',
  check: ({ scenarios }) =>
    scenarios
      .filter(({ exitCriteria }) => exitCriteria === null || saysNothing(exitCriteria.text))
      .map(({ at, id, exitCriteria }) => ({
        at: exitCriteria?.at ?? at,
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
      if (selected.some((name) => isOpenText(name) || isSame(name, technique.text))) return []
      return [
        {
          at: technique.at,
          reason: `${id} uses "${technique.text}", which section 6 does not select`,
          fix: `select it there, or use one of ${selected.join(', ') || 'those that you select'}`,
        },
      ]
    }),
}

/** The same technique of the catalog, however it is written, or one of the project's own. */
function isSame(selected: string, used: string): boolean {
  const [one, other] = [selected, used].map((text) => namedIn(text, techniqueVocabulary).known)
  return (
    one?.some((name) => other?.includes(name)) === true || used.toLowerCase().includes(selected.toLowerCase())
  )
}
