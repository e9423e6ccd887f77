import type { Plan } from '../plan.js'
import type { Position } from '../position.js'
import { placeholder, type LintContext, type Problem } from './rule.js'
import { rules } from './rules.js'

/** One thing that keeps a plan from being executed. */
export interface LintFinding extends Problem {
  readonly code: string
}

/** The code of a place that a person has still to fill; it is no rule that is broken. */
export const toFill = 'to-fill'

/** Everything that is wrong with a plan, and every place that is still to be filled, in the order of the document. */
export function lint(plan: Plan, source: string, context: LintContext): LintFinding[] {
  const broken = rules.flatMap(({ code, check }) =>
    check(plan, context).map((problem) => ({ code, ...problem })),
  )
  return [...broken, ...openPlaces(source)].toSorted((one, other) => order(one.at) - order(other.at))
}

function order({ line, column }: Position): number {
  return line * 10_000 + column
}

function openPlaces(source: string): LintFinding[] {
  return source.split('\n').flatMap((line, index) =>
    [...line.matchAll(new RegExp(String.raw`\b${placeholder}\b:?\s*([^|]*)`, 'g'))].map((match) => ({
      code: toFill,
      at: { line: index + 1, column: match.index + 1 },
      reason: `still to be filled: ${match[1]?.trim() || 'this place'}`,
      fix: 'write what is so; nobody else can know',
    })),
  )
}
