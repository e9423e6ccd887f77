import { milliseconds } from '../../../time/duration.js'
import type { BudgetTier } from '../../../verdict/budget.js'
import type { Problem, Rule } from '../rule.js'
import { isOpenText } from '../rule.js'

export const budgetMissing: Rule = {
  code: 'budget-missing',
  asks: 'a scenario has a smoke and a hardening budget: duration, nodes, faults, seeds',
  check: ({ scenarios }) =>
    scenarios.flatMap(({ at, id, budgets }): Problem[] => {
      const fix = 'add a table `| Tier | Duration | Nodes | Faults | Seeds |`'
      if (budgets === null) return [{ at, reason: `${id} has no budgets`, fix }]
      const unreadable = budgets.problems
        .filter(({ text }) => !isOpenText(text.replace(/^\w+: /, '')))
        .map((problem) => ({
          at: problem.at,
          reason: `${id}: "${problem.text}" is not a budget`,
          fix: 'write it as `5s, 3 nodes, 1 fault, 1 seed`',
        }))
      const stated = budgets.problems.map(({ text }) => text)
      const missing = (['smoke', 'hardening'] as const)
        .filter((tier) => budgets[tier] === null && !stated.some((text) => text.startsWith(tier)))
        .map((tier) => ({ at: budgets.at, reason: `${id} has no ${tier} budget`, fix }))
      return [...unreadable, ...missing]
    }),
}

export const hardeningNotAbove: Rule = {
  code: 'hardening-not-above-smoke',
  asks: 'the hardening budget is strictly above the smoke budget in every dimension',
  check: ({ scenarios }) =>
    scenarios.flatMap(({ id, budgets }) => {
      const { smoke, hardening, at } = budgets ?? {}
      if (!smoke || !hardening || at === undefined) return []
      const flat = dimensions.filter((name) => amount(hardening, name) <= amount(smoke, name))
      if (flat.length === 0) return []
      const reason = `${id}: hardening is not above smoke in ${flat.join(', ')}`
      return [{ at, reason, fix: 'raise hardening, or lower smoke: a budget is the least that must be met' }]
    }),
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
        fix: 'add it, or `not provided because …; revisit when …`',
      })),
}
