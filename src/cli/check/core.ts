import type { Checker, CheckInput, CheckResult } from '../../checkers/checker.js'
import { minimise, type Minimised } from '../../findings/minimise/minimise.js'
import { overlapLines } from '../../findings/overlap-lines.js'
import { writeHistory } from '../../history/write.js'

/** More operations are not drawn. */
const mostDrawn = 40

/** The core of a violation, with the file that it was written to. */
export interface ToldCore extends Minimised {
  readonly file: string | null
}

/**
 * The core of what was found, written to `file` as a native history where one is named. Null when nothing was found or it
 * cannot be made small. Rejects with the error of the file system when the file cannot be written.
 */
export async function coreOf(
  input: CheckInput,
  { checker, result, file }: { checker: Checker; result: CheckResult; file: string | null },
): Promise<ToldCore | null> {
  if (result.valid !== false) return null
  const { operations, model, collected, faults, timeoutMs } = input
  const core = await minimise({
    checker,
    model,
    operations,
    collected,
    ...(faults === undefined ? {} : { faults }),
    result,
    timeoutMs,
  })
  if (core === null) return null
  if (file !== null) await writeHistory(file, core.operations)
  return { ...core, file }
}

/** Lines for a person, indented as those below a verdict. */
export function coreLines(core: ToldCore | null, { checker, operations }: CheckResult): string[] {
  if (core === null)
    return [`  not made small: what may be left out for ${checker} is not known, or it took too long`]
  const least = core.minimal ? 'none of which can be left out' : 'perhaps not the fewest: the time was over'
  const where = core.file === null ? '' : `, written to ${core.file}`
  const count = core.operations.length
  return [
    `  core: ${count} of ${operations} operations, ${least}; ${Math.round(core.ms)} ms${where}`,
    `    ${core.explanation}`,
    ...(count > mostDrawn ? [] : overlapLines(core.operations).map((line) => `    ${line}`)),
  ]
}
