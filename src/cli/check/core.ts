import type { Checker, CheckInput, CheckResult } from '../../checkers/checker.js'
import { shellWord } from '../../environment/toolbox/tool.js'
import { historyOf, type Beginning } from '../../findings/minimise/beginnings/from-a-state.js'
import { minimise, type Minimised } from '../../findings/minimise/minimise.js'
import { overlapLines } from '../../findings/overlap-lines.js'
import { writeHistory } from '../../history/write.js'
import type { Semantics } from '../../models/model.js'

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
  if (file !== null) await writeHistory(file, historyOf(core))
  return { ...core, file }
}

/** Lines for a person, indented as those below a verdict. `semantics` are those that the history was judged by. */
export function coreLines(
  core: ToldCore | null,
  { checker, model, operations }: CheckResult,
  semantics: Partial<Semantics>,
): string[] {
  if (core === null)
    return [`  not made small: what may be left out for ${checker} is not known, or it took too long`]
  const { beginning, file } = core
  const least = core.minimal ? 'none of which can be left out' : 'perhaps not the fewest: the time was over'
  const where = file === null ? '' : `, written to ${file}`
  const count = core.operations.length
  const counted = `${count} of ${operations} operations${beginning === null ? '' : ' and the state before'}`
  return [
    `  core: ${counted}, ${least}; ${Math.round(core.ms)} ms${where}`,
    `    ${core.explanation}`,
    ...(count > mostDrawn ? [] : drawn(core).map((line) => `    ${line}`)),
    ...(beginning === null ? [] : [`    ${again(core, { beginning, model, semantics })}`]),
  ]
}

/** The operation that shows the state before the core stands above it. */
function drawn({ beginning, operations }: Minimised): readonly string[] {
  if (beginning === null) return overlapLines(operations)
  const lines = overlapLines([beginning.shownBy, ...operations])
  return lines.map((line, index) => (index === 0 ? `${line}  the state before` : line))
}

/** How to judge the core by itself. */
function again(
  { file, open }: ToldCore,
  {
    beginning,
    model,
    semantics,
  }: { beginning: Beginning; model: string | null; semantics: Partial<Semantics> },
): string {
  if (file === null) return 'to judge it by itself, have it written: --minimise core.ndjson'
  const { nullRead, failed } = semantics
  const command = [
    `nemesis check ${shellWord(file)} --model ${model} --init ${shellWord(JSON.stringify(beginning.init))}`,
    ...(nullRead === undefined ? [] : [`--null-read ${nullRead}`]),
    ...(failed === undefined ? [] : [`--failed ${failed}`]),
  ]
  const others = open.length === 0 ? '' : ` (${open.length} other changes are in it, of unknown outcome)`
  return `judged by itself${others}: ${command.join(' ')}`
}
