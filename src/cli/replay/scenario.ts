import { DeclarationError } from '../../errors.js'
import { readSession } from '../../session/session.js'
import type { ScenarioRecord } from '../../session/record.js'
import { exitCode, type ExitCode } from '../check/exit-code.js'

/** A scenario of a session by its id or name. Throws DeclarationError that lists those it has. */
export async function scenarioIn(directory: string, wanted: string): Promise<ScenarioRecord> {
  const { scenarios } = await readSession(directory)
  const record = scenarios.find(({ id, name }) => id === wanted || name === wanted)
  if (record !== undefined) return record
  throw new DeclarationError('scenario', `${directory} has no scenario '${wanted}'`, {
    hint: `it has: ${scenarios.map(({ id, name }) => `${id} (${name})`).join(', ') || 'none'}`,
  })
}

/** The exit code that a verdict stands for. */
export function codeOf(verdict: string): ExitCode {
  if (verdict.startsWith('PASS-')) return exitCode.holds
  return verdict.startsWith('FAIL-') ? exitCode.violation : exitCode.inconclusive
}
