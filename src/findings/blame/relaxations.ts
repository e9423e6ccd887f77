import type { Checker } from '../../checkers/checker.js'
import type { Operation } from '../../history/operation.js'
import type { Model } from '../../models/model.js'
import type { Experiment } from '../../session/classification-record.js'

const timeoutMs = 30_000

/** A weaker promise that is documented, as the checker that judges by it. */
export interface Relaxation {
  readonly name: string
  readonly source: string
  readonly checker: Checker
}

/**
 * Judges the rejected history by weaker promises that the documentation makes: one by which it is fine allows what
 * looked like a violation, so the wrong promise was checked.
 */
export async function documentedRelaxations(
  relaxations: readonly Relaxation[],
  history: {
    readonly operations: readonly Operation[]
    readonly model: Model | null
    readonly run: string
    readonly signal: AbortSignal
  },
): Promise<Experiment[]> {
  const { operations, model, run, signal } = history
  const experiments: Experiment[] = []
  for (const { name, source, checker } of relaxations) {
    const { valid } = await checker.check({ operations, model, collected: null, timeoutMs, signal })
    experiments.push({
      name: 'documented relaxation',
      question: `Is the history fine under ${name}?`,
      outcome: outcomes[String(valid) as keyof typeof outcomes](name),
      points: valid === true ? 'checker' : null,
      clears: [],
      evidence: [run, source],
    })
  }
  return experiments
}

const outcomes = {
  true: (name: string) => `yes: ${name} allows what looked like a violation`,
  false: (name: string) => `no: ${name} forbids it as well`,
  unknown: (name: string) => `not decided whether ${name} allows it`,
}
