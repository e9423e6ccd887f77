import type { Plan } from '../../plan.js'
import type { Rule } from '../rule.js'
import { isExplicitNone, isOpen, isOpenText } from '../rule.js'

const start = { line: 1, column: 1 }

export const adequacyMissing: Rule = {
  code: 'adequacy-missing',
  asks: 'section 7b argues for every claim which scenarios are enough, and why',
  check: ({ claims, adequacy, sections }) =>
    claims.flatMap(({ id }) => {
      const row = adequacy.find((one) => one.claims.some((claim) => claim.id === id))
      if (row !== undefined && row.scenarios.length > 0 && row.argument !== null) return []
      const lacks =
        row === undefined ? 'has no row' : row.argument === null ? 'has no argument' : 'names no scenario'
      return [
        {
          at: row?.at ?? sections.get('7b')?.at ?? start,
          reason: `${id} ${lacks} in section 7b`,
          fix: 'add `| claim | threats | scenarios | why sufficient |`',
        },
      ]
    }),
}

export const residualIncomplete: Rule = {
  code: 'residual-incomplete',
  asks: 'what stays uncertain says why it is not covered, why that is acceptable, and when to look again',
  check: ({ residual, sections }) => {
    const section = sections.get('7c')
    if (section === undefined || section.lines === 0 || isExplicitNone(section.text)) return []
    if (residual.length === 0 && !isOpenText(section.text)) {
      const fix = 'add a table `| What | Why uncovered | Why acceptable | Revisit when |`, or write `None.`'
      return [{ at: section.at, reason: 'section 7c has no table', fix }]
    }
    return residual
      .filter((row) => [row.what, row.whyUncovered, row.whyAcceptable, row.revisitWhen].includes(null))
      .map(({ at }) => ({ at, reason: 'a row of section 7c is not complete', fix: 'fill its four cells in' }))
  },
}

const absolute =
  /\b(?:cannot (?:happen|occur|fail|be lost)|can(?:'|’)t (?:happen|occur|fail)|impossible|guarantee[sd]?|proven? (?:correct|safe)|bug[- ]free|fully (?:safe|correct)|always (?:correct|safe|holds|works)|never (?:happens?|occurs?|fails?|loses?|lost))\b/i

export const absoluteClaim: Rule = {
  code: 'absolute-claim',
  asks: 'the confidence statement says what was observed, never what cannot happen',
  check: ({ sections }) => {
    const section = sections.get('7d')
    const match = absolute.exec(section?.text ?? '')
    if (section === undefined || match === null || isDenied(section.text, match.index)) return []
    return [
      {
        at: section.at,
        reason: `the confidence statement says "${match[0]}"`,
        fix: 'write "we have not observed … under the tested threats"',
      },
    ]
  },
}

/** `no guarantee that …` is what a careful author writes. */
function isDenied(text: string, index: number): boolean {
  return /\b(?:no|not|nor|without(?: a)?|does not|do not)\s+$/i.test(text.slice(0, index))
}

export const untestedUnnamed: Rule = {
  code: 'untested-unnamed',
  asks: 'the confidence statement names every surface that is not tested, or says that there is none',
  check: ({ sections }) => {
    const section = sections.get('7d')
    if (section === undefined || section.lines === 0 || isOpenText(section.text)) return []
    if (/\b(?:untested|not tested|not covered)\b/i.test(section.text)) return []
    const fix = 'add "Untested surfaces: …", or "Untested surfaces: none"'
    return [{ at: section.at, reason: 'the confidence statement names no untested surface', fix }]
  },
}

export const environmentUnused: Rule = {
  code: 'environment-unused',
  asks: 'every requirement of section 6b is one that a scenario has, with a hint how to install it',
  check: ({ environment }: Plan) =>
    environment.flatMap(({ at, requirement, scenarios, install }) => {
      const name = requirement?.text ?? 'a requirement'
      const problems = []
      if (scenarios.length === 0) {
        problems.push({
          at,
          reason: `no scenario uses ${name}`,
          fix: 'name the scenarios, or take the row out',
        })
      }
      if (install === null && !isOpen(requirement)) {
        problems.push({ at, reason: `${name} has no install hint`, fix: 'say how to get it' })
      }
      return problems
    }),
}
