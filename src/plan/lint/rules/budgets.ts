import { milliseconds } from '../../../time/duration.js'
import type { BudgetTier } from '../../../verdict/budget.js'
import { tierIn } from '../../parse/budgets.js'
import type { PlanScenario } from '../../plan.js'
import type { Text } from '../../position.js'
import type { Problem, Rule } from '../rule.js'
import { isOpen, isOpenText } from '../rule.js'

export const budgetMissing: Rule = {
  code: 'budget-missing',
  asks: 'a scenario and each of its arms have a smoke and a hardening budget: duration, nodes, faults, seeds',
  check: ({ scenarios }) =>
    scenarios.flatMap((scenario): Problem[] => [...ofScenario(scenario), ...ofArms(scenario)]),
}

function ofScenario({ at, id, budgets }: PlanScenario): Problem[] {
  const fix = 'add a table `| Tier | Duration | Nodes | Faults | Seeds |`'
  if (budgets === null) return [{ at, reason: `${id} has no budgets`, fix }]
  const unreadable = budgets.problems
    .filter(({ text }) => !isOpenText(text.replace(/^\w+: /, '')))
    .map((problem) => ({
      at: problem.at,
      reason: `${id}: "${problem.text}" is not a budget`,
      fix: problem.text.startsWith('release') ? `${example}, or as ${disclosure}` : example,
    }))
  const stated = budgets.problems.map(({ text }) => text)
  const missing = (['smoke', 'hardening'] as const)
    .filter((tier) => budgets[tier] === null && !stated.some((text) => text.startsWith(tier)))
    .map((tier) => ({ at: budgets.at, reason: `${id} has no ${tier} budget`, fix }))
  return [...unreadable, ...missing]
}

const example = 'write it as `5s, 3 nodes, 1 fault, 1 seed`'
const disclosure = '`not provided because …; revisit when …`'

function ofArms({ id, arms }: PlanScenario): Problem[] {
  return arms.flatMap(({ name, fields: { smokeBudget, hardeningBudget } }) =>
    [smokeBudget, hardeningBudget]
      .filter((text): text is Text => text !== null && !isOpen(text) && tierIn(text.text) === null)
      .map((text) => ({
        at: text.at,
        reason: `arm ${id}/${name}: "${text.text}" is not a budget`,
        fix: example,
      })),
  )
}

export const hardeningNotAbove: Rule = {
  code: 'hardening-not-above-smoke',
  asks: 'the hardening budget is strictly above the smoke budget in every dimension',
  check: ({ scenarios }) =>
    scenarios.flatMap(({ id, budgets, arms }) => [
      ...notAbove(id, budgets?.at, budgets?.smoke ?? null, budgets?.hardening ?? null),
      ...arms.flatMap(({ name, fields: { smokeBudget, hardeningBudget } }) =>
        notAbove(
          `arm ${id}/${name}`,
          hardeningBudget?.at,
          tierIn(smokeBudget?.text ?? ''),
          tierIn(hardeningBudget?.text ?? ''),
        ),
      ),
    ]),
}

function notAbove(
  name: string,
  at: Problem['at'] | undefined,
  smoke: BudgetTier | null,
  hardening: BudgetTier | null,
): Problem[] {
  if (smoke === null || hardening === null || at === undefined) return []
  const flat = dimensions.filter((one) => amount(hardening, one) <= amount(smoke, one))
  if (flat.length === 0) return []
  const reason = `${name}: hardening is not above smoke in ${flat.join(', ')}`
  return [{ at, reason, fix: 'raise hardening, or lower smoke: a budget is the least that must be met' }]
}

const dimensions = ['duration', 'nodes', 'faults', 'seeds'] as const

function amount(tier: BudgetTier, dimension: (typeof dimensions)[number]): number {
  return dimension === 'duration' ? milliseconds(tier.duration) : tier[dimension]
}

export const releaseUndisclosed: Rule = {
  code: 'release-undisclosed',
  asks: 'a scenario has a release budget, or says that there is none, why, and when to look again',
  check: ({ scenarios }) =>
    scenarios
      .filter(
        ({ budgets }) =>
          budgets !== null &&
          budgets.release === null &&
          !budgets.problems.some(({ text }) => text.startsWith('release')),
      )
      .map(({ at, id, budgets }) => ({
        at: budgets?.at ?? at,
        reason: `${id} says nothing of a release budget`,
        fix: `add it, or ${disclosure}`,
      })),
}
