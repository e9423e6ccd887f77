import { categories } from '../../../claim/claim.js'
import { closest } from '../../../nemesis/suggest.js'
import type { PlanClaim } from '../../plan.js'
import type { Rule } from '../rule.js'
import { isOpenText } from '../rule.js'

const start = { line: 1, column: 1 }

export const claimsMissing: Rule = {
  code: 'claims-missing',
  asks: 'section 1b has a table with at least one claim',
  check: ({ claims, sections }) => {
    if (claims.length > 0) return []
    const at = sections.get('1b')?.at ?? start
    const fix = 'add a table `| ID | Claim | Category | Source | Inferred? |`'
    return [{ at, reason: 'no claim is stated', fix }]
  },
}

export const claimIncomplete: Rule = {
  code: 'claim-incomplete',
  asks: 'a claim has an id, a text, a category, and a source or the word that it is inferred',
  check: ({ claims }) =>
    claims.flatMap((claim) => {
      const lacks = lacking(claim)
      if (lacks.length === 0) return []
      return [
        {
          at: claim.at,
          reason: `${name(claim)} lacks ${lacks.join(', ')}`,
          fix: 'fill the row of the table in',
        },
      ]
    }),
}

function lacking({ id, text, categories: stated, source, inferred }: PlanClaim): string[] {
  const isInferred = inferred !== null && /^y/i.test(inferred.text)
  return [
    ...(id === '' ? ['an id'] : []),
    ...(text === '' ? ['a text'] : []),
    ...(stated.length === 0 ? ['a category'] : []),
    ...(source === null && !isInferred ? ['a source'] : []),
  ]
}

function name({ id }: PlanClaim): string {
  return id === '' ? 'a claim' : id
}

export const categoryUnknown: Rule = {
  code: 'category-unknown',
  asks: 'the categories of claims are those of the method',
  check: ({ claims }) =>
    claims.flatMap(({ id, categories: stated }) =>
      stated
        .filter(({ text }) => !isOpenText(text.toUpperCase()) && !categories.some((known) => known === text))
        .map(({ text, at }) => {
          const near = closest(text, categories)
          return {
            at,
            reason: `${id} has the category "${text}", which there is not`,
            fix: near === null ? `take one of ${categories.join(', ')}` : `write ${near}`,
          }
        }),
    ),
}

export const claimWithoutScenario: Rule = {
  code: 'claim-without-scenario',
  asks: 'every claim is falsified by a scenario',
  check: ({ claims, scenarios }) =>
    claims
      .filter(
        ({ id }) => id !== '' && !scenarios.some(({ falsifies }) => falsifies.some((one) => one.id === id)),
      )
      .map(({ id, at }) => ({
        at,
        reason: `no scenario falsifies ${id}`,
        fix: `write a scenario in section 7 with \`Falsifies: ${id}\`, or take the claim out`,
      })),
}
