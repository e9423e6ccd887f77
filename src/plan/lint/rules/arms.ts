import { armFields, type ArmField, type Plan, type PlanArm, type PlanScenario } from '../../plan.js'
import type { Problem, Rule } from '../rule.js'
import { isExplicitNone, isOpen, saysNothing } from '../rule.js'
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
          categoriesOf(plan, scenario.falsifies).some(
            (category) => category === 'boundary' || category === 'fairness',
          ),
      )
      .map(({ at, id }) => ({
        at,
        reason: `${id} is about boundaries or fairness and has no arms`,
        fix: 'add `#### 7.M.S Arms` with a table: one row for each of the thirteen fields, one column for each arm',
      })),
}

/** Fields that always apply. */
const alwaysDue: readonly ArmField[] = [
  'claim',
  'surfaces',
  'operations',
  'oracle',
  'smokeBudget',
  'hardeningBudget',
]

export const armIncomplete: Rule = {
  code: 'arm-incomplete',
  asks: 'an arm has its thirteen fields; one that does not apply says `none` and why',
  check: ({ scenarios }) =>
    scenarios.flatMap(({ id, arms }) =>
      arms.flatMap((arm): Problem[] => {
        const lacks = armFields.filter((field) => arm.fields[field] === null || isPutOff(field, arm))
        const unexplained = armFields.filter((field) => !lacks.includes(field) && isBareNone(field, arm))
        const problem = (what: string, fix: string) => ({
          at: arm.at,
          reason: `arm ${id}/${arm.name} ${what}`,
          fix,
        })
        return [
          ...(lacks.length === 0
            ? []
            : [problem(`lacks ${lacks.map(inWords).join(', ')}`, 'add the rows, or fill their cells in')]),
          ...(unexplained.length === 0
            ? []
            : [
                problem(
                  `does not say why there are no ${unexplained.map(inWords).join(', ')}`,
                  'write `none: …` with the reason',
                ),
              ]),
        ]
      }),
    ),
}

function isPutOff(field: ArmField, { fields }: PlanArm): boolean {
  const text = fields[field]?.text ?? ''
  return saysNothing(text) && (alwaysDue.includes(field) || !isExplicitNone(text))
}

/** Negative controls have a rule of their own. */
function isBareNone(field: ArmField, { fields }: PlanArm): boolean {
  return field !== 'negativeControls' && saysNothing(fields[field]?.text ?? '')
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
  asks: `an arm, or a scenario without arms, is about at most ${mostCategories} categories of claims; an arm has at most ${mostSurfaces} surfaces and one oracle`,
  check: (plan) =>
    plan.scenarios.flatMap((scenario) =>
      scenario.arms.length === 0
        ? tooManyClaims(plan, scenario)
        : scenario.arms.flatMap((arm) =>
            tooMany(plan, arm).map((what) => ({
              at: arm.at,
              reason: `arm ${scenario.id}/${arm.name} has ${what}`,
              fix: 'split it into arms, each with its own model, oracle and verdict',
            })),
          ),
    ),
}

function tooManyClaims(plan: Plan, { at, id, falsifies }: PlanScenario): Problem[] {
  const categories = categoriesOf(plan, falsifies)
  if (categories.length <= mostCategories) return []
  const reason = `${id} is about ${categories.length} categories of claims: ${categories.join(', ')}`
  return [{ at, reason, fix: 'split it into scenarios, or into arms in a block 7.M.S' }]
}

function tooMany(plan: Plan, { claims, fields: { surfaces, oracle } }: PlanArm): string[] {
  const categories = categoriesOf(plan, claims)
  const named = isOpen(surfaces) ? [] : parts(surfaces?.text ?? '', /[,;]|\band\b/)
  const oracles = isOpen(oracle) ? [] : parts(oracle?.text ?? '', /;|, then\b|\bplus\b/)
  return [
    ...(categories.length > mostCategories ? [`claims of ${categories.length} categories`] : []),
    ...(named.length > mostSurfaces ? [`${named.length} surfaces`] : []),
    ...(oracles.length > 1 ? [`${oracles.length} oracles`] : []),
  ]
}

/** What is listed, without what stands in brackets. */
function parts(text: string, between: RegExp): string[] {
  return text
    .replaceAll(/\([^()]*\)/g, ' ')
    .split(between)
    .filter((part) => part.trim() !== '')
}

function inWords(field: ArmField): string {
  return field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
