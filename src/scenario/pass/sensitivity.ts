import type { CheckResult } from '../../checkers/checker.js'
import type { Sensitivity } from '../../sensitivity/result.js'
import { sensitivityOf } from '../../sensitivity/sensitivity.js'
import type { JudgeInput } from './judge.js'
import type { ScenarioSpec } from '../spec.js'

/**
 * Asks every checker that found nothing whether it would have noticed something. Not after a violation: it counts
 * whatever the other checkers would have noticed.
 */
export async function measureSensitivity(
  judged: JudgeInput,
  {
    results,
    options = {},
    seed,
  }: { results: readonly CheckResult[]; options: ScenarioSpec['sensitivity']; seed: number },
): Promise<Sensitivity[]> {
  if (options === false || results.some(({ valid }) => valid === false)) return []
  const measured: Sensitivity[] = []
  for (const checker of judged.checkers) {
    const clean = results.find((result) => result.checker === checker.name)
    if (clean?.valid !== true || judged.signal.aborted) continue
    const collected = judged.collected.get(checker.name)
    const { operations, model, faults, signal } = judged
    const history = {
      operations,
      model,
      collected: collected !== undefined && 'value' in collected ? collected.value : null,
    }
    measured.push(await sensitivityOf({ checker, history, clean, faults, options, seed, signal }))
  }
  return measured
}
