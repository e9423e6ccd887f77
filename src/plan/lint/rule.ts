import type { Plan } from '../plan.js'
import type { Position, Text } from '../position.js'

/** One thing that is wrong with a plan. */
export interface Problem {
  readonly at: Position
  /** What is wrong, with the id or the words that it is about. */
  readonly reason: string
  /** What to write instead. */
  readonly fix: string
}

/** What a rule may ask about the project that the plan belongs to. */
export interface LintContext {
  /** True for a path, relative to the project's root, that stays within it. */
  within(path: string): boolean
}

/** A rule that a plan must keep to be executed. */
export interface Rule {
  readonly code: string
  /** What it asks of a plan, in one sentence. */
  readonly asks: string
  check(plan: Plan, context: LintContext): readonly Problem[]
}

/** What a scaffold leaves for a person to write begins so. */
export const placeholder = 'FILL IN'

/** True for a place that a person has still to fill. */
export function isOpen(text: Text | null): boolean {
  return text !== null && isOpenText(text.text)
}

export function isOpenText(text: string): boolean {
  return text.trimStart().startsWith(placeholder)
}

/** True for words that say on purpose that there is nothing: `none`, `N/A because …`. */
export function isExplicitNone(text: string): boolean {
  return /^(none\b|n\/a\b|nothing\b|not applicable\b|no faults?\b)/i.test(text.trim())
}

/** True for words that only put off what is asked for, or say nothing: `TBD`, `?`, `none`. */
export function saysNothing(text: string): boolean {
  return /^(?:tb[dac]|to ?do|to be (?:\w+)|later|unknown|none|n\/a|not applicable|nothing|[\s?.…–—-]*)[\s.!?]*$/i.test(
    text.trim(),
  )
}
