import type { Plan } from '../plan.js'
import type { Position } from '../position.js'
import { placeholder, type LintContext, type Problem } from './rule.js'
import { isWithin } from '../project-root.js'
import { rules } from './rules.js'
import { targetOutside } from './rules/targets.js'

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

/**
 * Whether a plan may be executed: no rule is broken. Places that are still to be filled do not count, nor do targets, of
 * which whoever writes to them tells more.
 */
export function mayBeExecuted(plan: Plan, source: string, root: string): boolean {
  const within = (target: string) => isWithin(root, target)
  return lint(plan, source, { within }).every(({ code }) => code === toFill || code === targetOutside.code)
}

function order({ line, column }: Position): number {
  return line * 10_000 + column
}

/** The reason of each is what belongs there. */
function openPlaces(source: string): LintFinding[] {
  return source.split('\n').flatMap((line, index) =>
    [...line.matchAll(new RegExp(String.raw`\b${placeholder}\b:?\s*([^|]*)`, 'g'))].map((match) => ({
      code: toFill,
      at: { line: index + 1, column: match.index + 1 },
      reason: match[1]?.trim() || 'this place is still to be filled',
      fix: 'write what is so; nobody else can know',
    })),
  )
}
