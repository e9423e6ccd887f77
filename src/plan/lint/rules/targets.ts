import type { Rule } from '../rule.js'
import { isOpen } from '../rule.js'

export const targetMissing: Rule = {
  code: 'target-missing',
  asks: 'a scenario names its target test file',
  check: ({ scenarios }) =>
    scenarios
      .filter(({ target }) => target === null)
      .map(({ at, id }) => ({
        at,
        reason: `${id} names no target test file`,
        fix: 'add `- **Target test file:** test/orders.scenario.ts`',
      })),
}

export const targetOutside: Rule = {
  code: 'target-outside',
  asks: 'a target test file lies within the repository',
  check: ({ scenarios }, { within }) =>
    scenarios.flatMap(({ id, target }) =>
      target === null || isOpen(target) || within(target.text)
        ? []
        : [
            {
              at: target.at,
              reason: `the target of ${id}, ${target.text}, lies outside the repository`,
              fix: 'write a path relative to the root of the repository, without `..`',
            },
          ],
    ),
}

export const skeletonMissing: Rule = {
  code: 'skeleton-missing',
  asks: 'a scenario has a skeleton and names its language',
  check: ({ scenarios }) =>
    scenarios.flatMap(({ at, id, language, skeleton }) => {
      const lacks = [
        ...(language === null ? ['the language of its skeleton'] : []),
        ...(skeleton === null ? ['a skeleton'] : []),
      ]
      if (lacks.length === 0) return []
      const fix = 'add `- **Skeleton language:** typescript` and a block of code'
      return [{ at, reason: `${id} lacks ${lacks.join(' and ')}`, fix }]
    }),
}
