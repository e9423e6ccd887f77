import type { Checker, CheckInput, CheckResult } from '../../checkers/checker.js'
import type { Sensitivity } from '../../sensitivity/result.js'
import { sensitivityOf } from '../../sensitivity/sensitivity.js'

/** The same mutants every time. */
const seed = 1

/** Whether the checker would have noticed, of so many mutants; null unless it found the history clean. */
export async function wouldNotice(
  checker: Checker,
  input: CheckInput,
  { clean, mutants }: { clean: CheckResult; mutants: number | undefined },
): Promise<Sensitivity | null> {
  if (mutants === undefined || clean.valid !== true) return null
  const { operations, model, collected } = input
  return sensitivityOf({
    checker,
    history: { operations, model, collected },
    clean,
    faults: [],
    options: { mutants },
    seed,
    signal: new AbortController().signal,
  })
}

/** True when it noticed less than it must. */
export function isTooWeak({ mutants, killed, floor }: Sensitivity): boolean {
  return mutants > 0 && killed / mutants < floor
}

/** Lines for a person, indented as those below a verdict. */
export function sensitivityLines(measured: Sensitivity): string[] {
  const { mutants, killed, mutations, survivors, reason, ms } = measured
  const each = mutations.map((one) => `${one.name} ${one.killed}/${one.mutants}`)
  const what = each.length === 0 ? '' : `: ${each.join(', ')}`
  const verdict = isTooWeak(measured) ? 'TOO WEAK: noticed' : 'noticed'
  return [
    `  ${verdict} ${killed} of ${mutants} mutants in ${Math.round(ms)} ms${what}`,
    ...(reason === null ? [] : [`  ${reason}`]),
    ...survivors.map((survivor) => `  not noticed: ${survivor.what}`),
  ]
}
