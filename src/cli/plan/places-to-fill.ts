import pc from 'picocolors'
import { toFill, type LintFinding } from '../../plan/lint/lint.js'

/** A line for each place of a plan that a person has still to fill. */
export function placesToFill(file: string, open: readonly LintFinding[]): string[] {
  return open.map(({ at, reason }) => `${file}:${at.line}:${at.column}  ${pc.cyan(toFill)}  ${reason}`)
}
