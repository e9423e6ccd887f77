import { isSeriousCategory } from '../../../claim/claim.js'
import { choices } from '../../../checkers/picker.js'
import type { ModelBlock, Plan, PlanScenario } from '../../plan.js'
import type { Text } from '../../position.js'
import {
  checkerVocabulary,
  faultVocabulary,
  isOwn,
  modelVocabulary,
  namedIn,
  type Vocabulary,
} from '../names.js'
import type { Problem, Rule } from '../rule.js'
import { isExplicitNone, isOpen } from '../rule.js'

/** The categories of the claims that a scenario falsifies. */
export function categoriesOf({ claims }: Plan, { falsifies }: PlanScenario): string[] {
  const ids = new Set(falsifies.map(({ id }) => id))
  const categories = claims.filter(({ id }) => ids.has(id)).flatMap((claim) => claim.categories)
  return [...new Set(categories.map(({ text }) => text))]
}

export const modelBlockMissing: Rule = {
  code: 'model-block-missing',
  asks: 'a scenario that falsifies a serious claim has a block 7.M',
  check: (plan) =>
    plan.scenarios
      .filter((scenario) => scenario.model === null && categoriesOf(plan, scenario).some(isSeriousCategory))
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
      const lacks =
        model === null ? [] : blockFields.filter(([, field]) => model[field] === null).map(([name]) => name)
      if (model === null || lacks.length === 0) return []
      return [{ at: model.at, reason: `block 7.M of ${id} lacks ${lacks.join(', ')}`, fix: 'add the fields' }]
    }),
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
      const fitting = fittingFor(modelName, categoriesOf(plan, scenario).filter(isSeriousCategory))
      if (fitting.length === 0 || checkers.some((name) => fitting.includes(name))) return []
      const reason = `${scenario.id}: ${checkers.join(', ')} does not falsify such a claim about a ${modelName}`
      return [{ at: checker.at, reason, fix: `use one of ${fitting.join(', ')}` }]
    }),
}

function fittingFor(model: string, categories: readonly string[]): string[] {
  const rows = choices.filter(({ models }) => models === 'any' || models.includes(model))
  const names = rows.flatMap(({ checkers }) =>
    Object.entries(checkers).flatMap(([category, fitting]) => (categories.includes(category) ? fitting : [])),
  )
  return [...new Set(names)]
}
