import type { Checker, CheckResult } from '../../checkers/checker.js'
import { messageOf } from '../../errors.js'
import { checkerFailed } from '../../findings/blame/checker-failure.js'
import type { FaultSpan } from '../../history/fault-span.js'
import type { Operation } from '../../history/operation.js'
import type { Model } from '../../models/model.js'
import type { Collected } from './collect.js'

export interface JudgeInput {
  readonly checkers: readonly Checker[]
  readonly model: Model | null
  readonly operations: readonly Operation[]
  readonly faults: readonly FaultSpan[]
  readonly collected: ReadonlyMap<string, Collected>
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Hands the recorded history to every checker. A checker that throws or could not read has the answer `unknown`. */
export async function judge(input: JudgeInput): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const checker of input.checkers) results.push(await judgeBy(checker, input))
  return results
}

async function judgeBy(checker: Checker, input: JudgeInput): Promise<CheckResult> {
  const started = performance.now()
  const collected = input.collected.get(checker.name)
  const undecided = (reason: string): CheckResult => ({
    checker: checker.name,
    model: input.model?.name ?? null,
    valid: 'unknown',
    reason,
    operations: 0,
    coverage: 'all',
    evidence: {},
    anomalies: [],
    scope: [...checker.scope],
    ms: performance.now() - started,
  })
  if (checker.collect !== undefined && collected === undefined) {
    return undecided('the system did not come to rest, so its final state could not be read')
  }
  if (collected !== undefined && 'failure' in collected) return undecided(collected.failure)
  try {
    return await checker.check({
      operations: input.operations,
      faults: input.faults,
      model: input.model,
      collected: collected?.value ?? null,
      timeoutMs: input.timeoutMs,
      signal: input.signal,
    })
  } catch (error) {
    return undecided(`${checkerFailed}: ${messageOf(error)}`)
  }
}
