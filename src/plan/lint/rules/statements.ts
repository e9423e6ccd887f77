import type { AdequacyRow } from '../../plan.js'
import type { Position } from '../../position.js'
import type { Rule } from '../rule.js'
import { isExplicitNone, isOpenText, saysNothing } from '../rule.js'

const start = { line: 1, column: 1 }

export const adequacyMissing: Rule = {
  code: 'adequacy-missing',
  asks: 'section 7b argues for every claim against which threats which scenarios are enough, and why',
  check: ({ claims, adequacy, sections }) =>
    claims.flatMap(({ id }) => {
      const rows = adequacy.filter((one) => one.claims.some((claim) => claim.id === id))
      const [row] = rows
      const lacks = row === undefined ? ['row'] : lackingIn(rows)
      if (lacks.length === 0) return []
      return [
        {
          at: row?.at ?? sections.get('7b')?.at ?? start,
          reason: `${id} has no ${lacks.join(', no ')} in section 7b`,
          fix: 'add `| claim | threats | scenarios | why sufficient |`',
        },
      ]
    }),
}

function lackingIn(rows: readonly AdequacyRow[]): string[] {
  return [
    ...(rows.some(({ threats }) => threats !== null) ? [] : ['threats']),
    ...(rows.some(({ scenarios }) => scenarios.length > 0) ? [] : ['scenario']),
    ...(rows.some(({ argument }) => argument !== null && !saysNothing(argument.text)) ? [] : ['argument']),
  ]
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
  /\b(?:(?:cannot|can not|can(?:'|’)t|can never|could never|will never|never|will not|won(?:'|’)t) (?:ever )?(?:be )?(?:happens?|happened|occurs?|fails?|loses?|lost|breaks?|broken|violate[sd]?|diverges?|leaks?|corrupt(?:ed|s)?|duplicate[sd]?)|impossible|guarante(?:e|es|ed)|rule[sd]? out|is (?:proven|proved)|proven? (?:correct|safe)|proves? that|bug[- ]free|(?:fully|completely|entirely|perfectly) (?:safe|correct|reliable)|(?:is|are) (?:safe|correct|linearizable|serializable|durable)(?= (?:under|in|against|at|for) (?:all|any|every)|[.,;]|$)|always (?:safe|correct|holds?|works?)|under (?:all|any) (?:circumstances|faults|conditions))/gim

export const absoluteClaim: Rule = {
  code: 'absolute-claim',
  asks: 'the confidence statement says what was observed, never what cannot happen',
  check: ({ sections }) =>
    (sections.get('7d')?.blocks ?? []).flatMap(({ text, at }) => {
      const promises = [...text.matchAll(absolute)].filter(({ index }) => !isDenied(text, index))
      return promises.map((match) => ({
        at: lineIn(text, at, match.index),
        reason: `the confidence statement says "${match[0]}"`,
        fix: 'write "we have not observed … under the tested threats"',
      }))
    }),
}

/** The line within a block; its column is not known, as marks are not in the text. */
function lineIn(text: string, { line, column }: Position, index: number): Position {
  const below = text.slice(0, index).split('\n').length - 1
  return below === 0 ? { line, column } : { line: line + below, column: 1 }
}

/** `no guarantee that …` is what a careful author writes, as is `if it is safe`. */
function isDenied(text: string, index: number): boolean {
  return /\b(?:no|not|nor|neither|without(?: an?)?|do(?:es)? not(?: \w+)?|(?:that|whether|if) (?:it|this|the system)|cannot(?: be)?)\s+$/i.test(
    text.slice(0, index),
  )
}

const untested = /\b(?:untested|not tested|not covered)\b/i
const namesNothing = /\b(?:untested|not tested|not covered)\b[^:.]*:\s*$/i

export const untestedUnnamed: Rule = {
  code: 'untested-unnamed',
  asks: 'the confidence statement names every surface that is not tested, or says that there is none',
  check: ({ sections }) => {
    const section = sections.get('7d')
    if (section === undefined || section.lines === 0 || isOpenText(section.text)) return []
    if (untested.test(section.text) && !namesNothing.test(section.text)) return []
    const fix = 'add "Untested surfaces: …", or "Untested surfaces: none"'
    return [{ at: section.at, reason: 'the confidence statement names no untested surface', fix }]
  },
}
