import { isId } from '../../markdown/references.js'
import type { Plan } from '../../plan.js'
import type { Reference } from '../../position.js'
import { isOpenText, type Problem, type Rule } from '../rule.js'

export const idMalformed: Rule = {
  code: 'id-malformed',
  asks: 'ids of claims, hypotheses and scenarios are capital letters and a number, such as C1, H2, S3; names of arms are short ones, such as api',
  check: ({ claims, hypotheses, scenarios, unnumbered }) => [
    ...claims
      .filter(({ id }) => id !== '' && isWrong(id))
      .map(({ id, at }) => wrong(id, 'a claim', 'C1', at)),
    ...hypotheses.filter(({ id }) => isWrong(id)).map(({ id, at }) => wrong(id, 'a hypothesis', 'H1', at)),
    ...unnumbered.map(({ text, at }) => ({
      at,
      reason: `"${text}" has the fields of a scenario and no id`,
      fix: 'begin its heading with one, such as `### S1: what_the_claim_says`',
    })),
    ...scenarios.flatMap(({ id, arms }) =>
      arms
        .filter(({ name }) => !armName.test(name) && !isOpenText(name))
        .map(({ at, name }) => ({
          at,
          reason: `${id} has an arm "${name}", which is no name that a test can have`,
          fix: 'write letters, digits, `-` and `_`, such as admin-api',
        })),
    ),
  ],
}

const armName = /^[A-Za-z][\w-]*$/

function isWrong(id: string): boolean {
  return !isId(id) && !isOpenText(id)
}

function wrong(id: string, what: string, example: string, at: Problem['at']): Problem {
  const reason = id === '' ? `${what} has no id` : `${what} has the id "${id}", to which nothing can refer`
  return { at, reason, fix: `write capital letters and a number, such as ${example}` }
}

export const idDuplicate: Rule = {
  code: 'id-duplicate',
  asks: 'every section, claim, hypothesis, scenario and arm is there once, with an id of its own',
  check: ({ claims, hypotheses, scenarios, sections, repeated }) => {
    const seen = new Map<string, number>()
    const twice = [...claims, ...hypotheses, ...scenarios].flatMap(({ id, at }): Problem[] => {
      if (id === '') return []
      const first = seen.get(id)
      if (first === undefined) {
        seen.set(id, at.line)
        return []
      }
      return [{ at, reason: `${id} is already the id of line ${first}`, fix: 'give one of them another id' }]
    })
    const arms = scenarios.flatMap((scenario) =>
      scenario.arms
        .filter(({ name }, index, all) => all.findIndex((one) => one.name === name) < index)
        .map(({ at, name }) => ({
          at,
          reason: `${scenario.id} has the arm ${name} twice`,
          fix: 'give one of them another name',
        })),
    )
    const again = repeated.map(({ id, at }) => ({
      at,
      reason: `section ${id} is there already, in line ${sections.get(id)?.at.line}, so this one is not read`,
      fix: 'make one of both',
    }))
    return [...twice, ...arms, ...again]
  },
}

/** Ids by the kind of what they stand for. */
type Kind = 'claim' | 'hypothesis' | 'scenario'

interface Use {
  readonly reference: Reference
  /** What may be referred to there. */
  readonly kinds: readonly Kind[]
}

export const referenceUnknown: Rule = {
  code: 'reference-unknown',
  asks: 'every id that is referred to is that of a claim, hypothesis or scenario of the plan, whichever is due there',
  check: (plan) => {
    const known: Readonly<Record<Kind, readonly string[]>> = {
      claim: plan.claims.map(({ id }) => id),
      hypothesis: plan.hypotheses.map(({ id }) => id),
      scenario: plan.scenarios.map(({ id }) => id),
    }
    return usesIn(plan)
      .filter(({ reference, kinds }) => !kinds.some((kind) => known[kind].includes(reference.id)))
      .map(({ reference: { id, at }, kinds }) => {
        const isKnown = Object.values(known).some((all) => all.includes(id))
        const due = kinds.flatMap((kind) => known[kind])
        return {
          at,
          reason: isKnown ? `${id} is no ${kinds.join(' or ')}` : `there is no ${id}`,
          fix: `refer to one of ${[...new Set(due)].join(', ') || 'those that the plan states'}`,
        }
      })
  },
}

function usesIn(plan: Plan): Use[] {
  const { hypotheses, coverage, techniques, environment, scenarios, adequacy } = plan
  const all = (references: readonly Reference[], ...kinds: readonly Kind[]) =>
    references.map((reference) => ({ reference, kinds }))
  return [
    ...hypotheses.flatMap(({ claims }) => all(claims, 'claim')),
    ...coverage.flatMap((row) => [
      ...all(row.claims, 'claim'),
      ...all(row.hypotheses, 'hypothesis'),
      ...all(row.scenarios, 'scenario'),
    ]),
    ...techniques.flatMap((row) => all(row.hypotheses, 'hypothesis')),
    ...environment.flatMap((row) => all(row.scenarios, 'scenario')),
    ...scenarios.flatMap(({ falsifies, closes }) => [
      ...all(falsifies, 'claim'),
      ...all(closes, 'hypothesis', 'claim'),
    ]),
    ...scenarios.flatMap(({ arms }) => arms.flatMap(({ claims }) => all(claims, 'claim'))),
    ...adequacy.flatMap((row) => [...all(row.claims, 'claim'), ...all(row.scenarios, 'scenario')]),
  ]
}
