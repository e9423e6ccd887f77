import type { Checker } from '../../checkers/checker.js'
import { messageOf } from '../../errors.js'
import type { Operation } from '../../history/operation.js'
import type { Model } from '../../models/model.js'
import type { Experiment } from '../../session/classification-record.js'
import { misfitOf } from './misfit-of.js'

const timeoutMs = 30_000

/** A weaker promise that is documented, as the checker that judges by it. */
export interface Relaxation {
  readonly name: string
  readonly source: string
  readonly checker: Checker
}

/**
 * Judges the rejected history by weaker promises that the documentation makes: one by which it is fine allows what
 * looked like a violation, so the wrong promise was checked. One that does not fit the model, fails or judges no
 * operation has allowed nothing.
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
  const experiments: Experiment[] = []
  for (const relaxation of relaxations) {
    const { name, source } = relaxation
    const { allows, why } = await judgedBy(relaxation, history)
    experiments.push({
      name: 'documented relaxation',
      question: `Is the history fine under ${name}?`,
      outcome: `${outcomes[allows](name)}${why === null ? '' : `: ${why}`}`,
      points: allows === 'yes' ? 'checker' : null,
      clears: [],
      evidence: [history.run, source],
    })
  }
  return experiments
}

interface Answer {
  readonly allows: 'yes' | 'no' | 'open'
  /** Why it is open. */
  readonly why: string | null
}

async function judgedBy(
  { checker }: Relaxation,
  { operations, model, signal }: Omit<Parameters<typeof documentedRelaxations>[1], 'run'>,
): Promise<Answer> {
  const open = (why: string | null): Answer => ({ allows: 'open', why })
  const misfit = misfitOf(checker, model)
  if (misfit !== null) return open(`${checker.name} does not fit: ${misfit}`)
  if (checker.collect !== undefined) return open(`${checker.name} reads the live system, which is gone`)
  try {
    const result = await checker.check({ operations, model, collected: null, timeoutMs, signal })
    if (result.valid === 'unknown') return open(result.reason)
    if (!result.valid) return { allows: 'no', why: null }
    if (result.operations === 0) return open(`${checker.name} judged none of the operations`)
    return { allows: 'yes', why: null }
  } catch (error) {
    return open(`${checker.name} failed: ${messageOf(error)}`)
  }
}

const outcomes: Readonly<Record<Answer['allows'], (name: string) => string>> = {
  yes: (name) => `yes: ${name} allows what looked like a violation`,
  no: (name) => `no: ${name} forbids it as well`,
  open: (name) => `not decided whether ${name} allows it`,
}
