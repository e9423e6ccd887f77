import type { Plan } from '../../plan.js'
import type { Reference } from '../../position.js'
import { isExplicitNone, isOpenText, saysNothing, type Rule } from '../rule.js'

const start = { line: 1, column: 1 }

export const hypothesisWithoutClaim: Rule = {
  code: 'hypothesis-without-claim',
  asks: 'every hypothesis is tied to a claim',
  check: ({ hypotheses }) =>
    hypotheses
      .filter(({ claims }) => claims.length === 0)
      .map(({ id, at }) => ({
        at,
        reason: `${id} is tied to no claim`,
        fix: 'name the claims that it would falsify; one of no claim belongs in section 9',
      })),
}

export const hypothesisWithoutScenario: Rule = {
  code: 'hypothesis-without-scenario',
  asks: 'every hypothesis is closed by a scenario, covered by an existing test, or named as residual uncertainty',
  check: (plan) =>
    plan.hypotheses
      .filter(({ id }) => !isClosed(plan, id))
      .map(({ id, at }) => ({
        at,
        reason: `nothing closes ${id}`,
        fix: `add it to \`Closes:\` of a scenario, or say in section 7c why ${id} stays open`,
      })),
}

function isClosed({ scenarios, coverage, sections }: Plan, id: string): boolean {
  return (
    scenarios.some(({ closes }) => names(closes, id)) ||
    coverage.some(
      ({ hypotheses, verdict }) => names(hypotheses, id) && verdict?.text.toLowerCase() === 'covered',
    ) ||
    new RegExp(String.raw`\b${id}\b`).test(sections.get('7c')?.text ?? '')
  )
}

function names(references: readonly Reference[], id: string): boolean {
  return references.some((one) => one.id === id)
}

/** The kinds of failure that a plan must have thought of, each with the words by which it is told. */
const failureModes: Readonly<Record<string, RegExp>> = {
  correctness: /\bcorrectness\b|\bsafety\b/i,
  durability: /\bdurability\b/i,
  liveness: /\bliveness\b/i,
  'partial failure': /\bpartial failures?\b/i,
  'idempotency and replay': /\bidempotency\b|\breplay\b/i,
  'upgrade and rollback': /\bupgrades?\b|\brollback\b/i,
  configuration: /\bconfig(?:uration)?\b/i,
  'performance and fairness': /\bperformance\b|\bfairness\b/i,
}

export const failureModeUncovered: Rule = {
  code: 'failure-mode-uncovered',
  asks: `the hypotheses are about ${Object.keys(failureModes).join(', ')}, or section 4 says N/A because …`,
  check: ({ sections, hypotheses }) => {
    const section = sections.get('4')
    if (section === undefined || section.lines === 0 || isOpenText(section.text)) return []
    const told = [
      ...hypotheses.map(({ category, text }) => category?.text ?? text),
      ...statementsIn(section.text).filter((statement) => notApplicable.test(statement)),
    ]
    return Object.entries(failureModes)
      .filter(([, words]) => !told.some((text) => words.test(text)))
      .map(([mode]) => ({
        at: section.at,
        reason: `no hypothesis is about ${mode}`,
        fix: `add one, or write "${mode}: N/A because …" below the table`,
      }))
  },
}

/** With a reason: a colon, a dash or a word such as because, and something behind it. */
const notApplicable =
  /\b(?:n\/a|not applicable)\b[\s:,|–—-]*(?:(?:because|since|as)\b[\s:]*)?(?!because\b|since\b|as\b)[^\s.:…|–—-]/i

/** The sentences of a text. A line that goes on in lower case is one with the line before. */
function statementsIn(text: string): string[] {
  return text.replaceAll(/\n(?=[a-z])/g, ' ').split(/\n|[.;](?=\s)/)
}

const coverageVerdicts = ['covered', 'partial', 'not covered']

export const coverageMissing: Rule = {
  code: 'coverage-missing',
  asks: 'the coverage matrix has a row for every claim and every hypothesis',
  check: ({ claims, hypotheses, coverage, sections }) =>
    [
      ...claims.filter(({ id }) => !coverage.some((row) => names(row.claims, id))),
      ...hypotheses.filter(({ id }) => !coverage.some((row) => names(row.hypotheses, id))),
    ]
      .filter(({ id }) => id !== '')
      .map(({ id }) => ({
        at: sections.get('5')?.at ?? start,
        reason: `the coverage matrix has no row for ${id}`,
        fix: 'add one: claim, hypothesis, existing tests, verdict, gap, scenario',
      })),
}

export const coverageVerdictUnknown: Rule = {
  code: 'coverage-verdict-unknown',
  asks: `the verdict of a row of the coverage matrix is ${coverageVerdicts.join(', ')}`,
  check: ({ coverage }) =>
    coverage
      .filter(({ verdict }) => {
        const text = verdict?.text.toLowerCase() ?? ''
        return !isOpenText(text.toUpperCase()) && !coverageVerdicts.includes(text)
      })
      .map(({ at, verdict }) => ({
        at: verdict?.at ?? at,
        reason: verdict === null ? 'a row has no verdict' : `a row has the verdict "${verdict.text}"`,
        fix: `write one of ${coverageVerdicts.join(', ')}`,
      })),
}

export const coveredByNothing: Rule = {
  code: 'covered-by-nothing',
  asks: 'a row of the coverage matrix that is covered, or partly, names the existing tests that do it',
  check: ({ coverage }) =>
    coverage
      .filter(({ existing, verdict }) => {
        const isNone = existing === null || isExplicitNone(existing.text) || saysNothing(existing.text)
        return isNone && ['covered', 'partial'].includes(verdict?.text.toLowerCase() ?? '')
      })
      .map(({ at, verdict, hypotheses }) => ({
        at: verdict?.at ?? at,
        reason: `${rowName(hypotheses)} is called ${verdict?.text}, and names no test that does it`,
        fix: 'name the tests, or write `not covered`',
      })),
}

export const gapWithoutScenario: Rule = {
  code: 'gap-without-scenario',
  asks: 'a row of the coverage matrix that is not covered says what the gap is and which scenario closes it',
  check: ({ coverage }) =>
    coverage
      .filter(({ verdict, gap, scenarios }) => {
        const open =
          verdict?.text.toLowerCase() === 'partial' || verdict?.text.toLowerCase() === 'not covered'
        return open && (gap === null || scenarios.length === 0)
      })
      .map(({ at, gap, hypotheses }) => ({
        at,
        reason: `${rowName(hypotheses)} has ${gap === null ? 'no gap' : 'no scenario'}`,
        fix: 'name the kind of the gap and the scenario that closes it',
      })),
}

function rowName(hypotheses: readonly Reference[]): string {
  return `the row of ${hypotheses.map(({ id }) => id).join(', ') || 'a hypothesis'}`
}
