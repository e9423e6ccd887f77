import { isSeriousCategory } from '../../../claim/claim.js'
import { choices } from '../../../checkers/picker.js'
import type { ModelBlock, Plan, PlanScenario } from '../../plan.js'
import type { Reference, Text } from '../../position.js'
import {
  checkerVocabulary,
  faultVocabulary,
  isOwn,
  modelVocabulary,
  namedIn,
  type Vocabulary,
} from '../names.js'
import { isExplicitNone, isOpen, saysNothing, type Problem, type Rule } from '../rule.js'

/** The categories of the claims that a scenario or an arm is about. */
export function categoriesOf({ claims }: Plan, named: readonly Reference[]): string[] {
  const ids = new Set(named.map(({ id }) => id))
  const categories = claims.filter(({ id }) => ids.has(id)).flatMap((claim) => claim.categories)
  return [...new Set(categories.map(({ text }) => text))]
}

export const modelBlockMissing: Rule = {
  code: 'model-block-missing',
  asks: 'a scenario that falsifies a serious claim has a block 7.M',
  check: (plan) =>
    plan.scenarios
      .filter(
        ({ model, falsifies }) => model === null && categoriesOf(plan, falsifies).some(isSeriousCategory),
      )
      .map(({ at, id }) => ({
        at,
        reason: `${id} falsifies a serious claim and has no block 7.M`,
        fix: 'add `#### 7.M` with model, operation history, checker, nemesis and landing, ambiguous outcomes, reduction plan',
      })),
}

const blockFields: readonly (readonly [name: string, field: Exclude<keyof ModelBlock, 'at'>])[] = [
  ['Model under test', 'model'],
  ['Operation history', 'history'],
  ['Checker', 'checker'],
  ['Nemesis and landing', 'nemesis'],
  ['Ambiguous outcomes', 'ambiguous'],
  ['Reduction plan', 'reduction'],
]

export const modelBlockIncomplete: Rule = {
  code: 'model-block-incomplete',
  asks: 'a block 7.M has its six fields',
  check: ({ scenarios }) =>
    scenarios.flatMap(({ id, model }) => {
      if (model === null) return []
      const lacks = blockFields
        .filter(([, field]) => saysNothing(model[field]?.text ?? ''))
        .map(([name]) => name)
      if (lacks.length > 0) {
        const fix = `add ${lacks.map((name) => `\`- **${name}:** …\``).join(', ')}`
        return [{ at: model.at, reason: `block 7.M of ${id} lacks ${lacks.join(', ')}`, fix }]
      }
      if (model.nemesis === null || provesLanding(model.nemesis)) return []
      const reason = `block 7.M of ${id} does not say what proves that its faults have landed`
      return [{ at: model.nemesis.at, reason, fix: 'add what the injector and what a victim shows' }]
    }),
}

/** True when more is said than the names of faults and where they go. */
function provesLanding(text: Text): boolean {
  if (isOpen(text) || isExplicitNone(text.text)) return true
  const names = new Set(faultVocabulary.names.flatMap((name) => name.split('-')))
  const words = text.text.toLowerCase().match(/[a-z]+/g) ?? []
  const aside = /^(?:of|the|an?|and|then|from|to|on|own|leader|follower|nodes?|others?|one|each|every)$/
  return (
    words.filter((word) => !names.has(word.replace(/s$/, '')) && !names.has(word) && !aside.test(word))
      .length > 1
  )
}

export const modelUnknown = nameRule(
  'model-unknown',
  'a block 7.M names a model',
  modelVocabulary,
  ({ model }) => model?.model ?? null,
)

export const checkerUnknown = nameRule(
  'checker-unknown',
  'a block 7.M names a checker',
  checkerVocabulary,
  ({ model }) => model?.checker ?? null,
)

export const faultUnknown = nameRule(
  'fault-unknown',
  'a scenario names its faults by the taxonomy, or says `none`',
  faultVocabulary,
  ({ faults }) => faults,
)

/** A rule that a field names something known; what a project defines itself is `own: …`. */
function nameRule(
  code: string,
  asks: string,
  vocabulary: Vocabulary,
  fieldOf: (scenario: PlanScenario) => Text | null,
): Rule {
  return {
    code,
    asks: `${asks}; one of the project's own is written \`own: name\``,
    check: ({ scenarios }) =>
      scenarios.flatMap((scenario): Problem[] => {
        const text = fieldOf(scenario)
        if (text === null || isOpen(text) || isOwn(text.text) || isExplicitNone(text.text)) return []
        const { known, misspelt } = namedIn(text.text, vocabulary)
        const [wrong] = misspelt
        if (wrong !== undefined) {
          const reason = `${scenario.id} names the ${vocabulary.kind} "${wrong.word}", which there is not`
          return [{ at: text.at, reason, fix: `write ${wrong.meant}` }]
        }
        if (known.length > 0) return []
        const reason = `${scenario.id} names no known ${vocabulary.kind}: "${text.text.split('\n')[0]}"`
        return [{ at: text.at, reason, fix: `name one of ${vocabulary.names.join(', ')}` }]
      }),
  }
}

export const checkerUnfit: Rule = {
  code: 'checker-unfit',
  asks: 'one of the checkers of a block 7.M falsifies claims of that category about that model',
  check: (plan) =>
    plan.scenarios.flatMap((scenario): Problem[] => {
      const { model, checker } = scenario.model ?? {}
      if (model === null || model === undefined || checker === null || checker === undefined) return []
      if (isOpen(model) || isOpen(checker)) return []
      const [modelName] = namedIn(model.text, modelVocabulary).known
      const checkers = namedIn(checker.text, checkerVocabulary).known
      if (modelName === undefined || checkers.length === 0 || isOwn(checker.text)) return []
      const fitting = fittingFor(modelName, categoriesOf(plan, scenario.falsifies).filter(isSeriousCategory))
      if (fitting.length === 0 || checkers.some((name) => fitting.includes(name))) return []
      const reason = `${scenario.id}: ${checkers.join(', ')} does not falsify such a claim about a ${modelName}`
      return [{ at: checker.at, reason, fix: `use one of ${fitting.join(', ')}` }]
    }),
}

function fittingFor(model: string, categories: readonly string[]): string[] {
  const rows = choices.filter(({ models }) => models === 'any' || models.includes(model))
  const fitting = rows.flatMap(({ checkers }) =>
    Object.entries(checkers).flatMap(([category, names]) => (categories.includes(category) ? names : [])),
  )
  return [...new Set(fitting)].filter((name) => checkerVocabulary.names.includes(name))
}
