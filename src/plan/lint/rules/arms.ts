import { armFields, type ArmField, type PlanArm } from '../../plan.js'
import type { Rule } from '../rule.js'
import { isExplicitNone, isOpen } from '../rule.js'
import { categoriesOf } from './discipline.js'

const mostSurfaces = 3
const mostCategories = 3

export const armsMissing: Rule = {
  code: 'arms-missing',
  asks: 'a scenario about boundaries or fairness declares its surfaces as arms in a block 7.M.S',
  check: (plan) =>
    plan.scenarios
      .filter(
        (scenario) =>
          scenario.arms.length === 0 &&
          categoriesOf(plan, scenario).some((category) => category === 'boundary' || category === 'fairness'),
      )
      .map(({ at, id }) => ({
        at,
        reason: `${id} is about boundaries or fairness and has no arms`,
        fix: 'add `#### 7.M.S Arms` with a table: one row for each of the thirteen fields, one column for each arm',
      })),
}

export const armIncomplete: Rule = {
  code: 'arm-incomplete',
  asks: 'an arm has its thirteen fields; one that does not apply says `none` and why',
  check: ({ scenarios }) =>
    scenarios.flatMap(({ id, arms }) =>
      arms.flatMap((arm) => {
        const lacks = armFields.filter((field) => arm.fields[field] === null)
        if (lacks.length === 0) return []
        const reason = `arm ${id}/${arm.name} lacks ${lacks.map(inWords).join(', ')}`
        return [{ at: arm.at, reason, fix: 'add the rows, or fill their cells in' }]
      }),
    ),
}

export const negativeControlMissing: Rule = {
  code: 'negative-control-missing',
  asks: 'an arm has a negative control: something that must be refused, and be seen to be refused',
  check: ({ scenarios }) =>
    scenarios.flatMap(({ id, arms }) =>
      arms
        .filter(
          ({ fields }) => fields.negativeControls !== null && isExplicitNone(fields.negativeControls.text),
        )
        .map(({ at, name, fields }) => ({
          at: fields.negativeControls?.at ?? at,
          reason: `arm ${id}/${name} has no negative control`,
          fix: 'name what must not be visible or allowed, and where the refusal shows',
        })),
    ),
}

export const armTooWide: Rule = {
  code: 'arm-too-wide',
  asks: `an arm has at most ${mostSurfaces} surfaces and one oracle, and its scenario at most ${mostCategories} categories of claims`,
  check: (plan) =>
    plan.scenarios.flatMap((scenario) => {
      const { id, at, arms } = scenario
      const categories = arms.length === 0 ? [] : categoriesOf(plan, scenario)
      const wide = arms.flatMap((arm) =>
        tooMany(arm).map((what) => ({
          at: arm.at,
          reason: `arm ${id}/${arm.name} has ${what}`,
          fix: 'split it into arms, each with its own model, oracle and verdict',
        })),
      )
      if (categories.length <= mostCategories) return wide
      const reason = `${id} is about ${categories.length} categories of claims: ${categories.join(', ')}`
      return [...wide, { at, reason, fix: 'split it into scenarios' }]
    }),
}

function tooMany({ fields: { surfaces, oracle } }: PlanArm): string[] {
  const named = isOpen(surfaces) ? 0 : (surfaces?.text.split(/[,;]|\band\b/) ?? []).length
  const oracles = isOpen(oracle) ? 0 : (oracle?.text.split(/;|, then\b|\bplus\b/) ?? []).length
  return [
    ...(named > mostSurfaces ? [`${named} surfaces`] : []),
    ...(oracles > 1 ? [`${oracles} oracles`] : []),
  ]
}

function inWords(field: ArmField): string {
  return field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
