import type { Checker, CheckResult } from '../checkers/checker.js'
import { messageOf } from '../errors.js'
import type { FaultSpan } from '../history/fault-span.js'
import { Random } from '../random/random.js'
import { basesOf } from './bases.js'
import { forbiddenBy } from './forbids.js'
import type { CleanHistory } from './mutation.js'
import type { SensitivityOptions } from './options.js'
import { planned } from './plan.js'
import type { Sensitivity } from './result.js'

const defaultMutants = 20
const defaultFloor = 0.95
/** The time for all mutants, in checks of the history itself. */
const mostChecks = 2
/** That much time is taken in any case: nobody notices it. */
const leastMs = 100
/** So many mutants are asked about in any case: fewer say nothing. */
const leastMutants = 3
/** The time for one mutant, in checks of the history itself, and at least. */
const mostChecksEach = 5
const leastMsEach = 2_000

export interface SensitivityInput {
  readonly checker: Checker
  /** What the checker found clean. */
  readonly history: CleanHistory
  /** Its answer. */
  readonly clean: CheckResult
  readonly faults: readonly FaultSpan[]
  readonly options: SensitivityOptions
  readonly seed: number
  readonly signal: AbortSignal
}

/**
 * Whether a checker that found a history clean would have noticed a violation: it is asked about mutants of the history,
 * each a violation of its claim by construction, and must call them invalid. An answer of `unknown` does not count, nor
 * does a checker that throws.
 *
 * Most mutants are of small parts of the history, so that all together take no longer than twice the check itself; when they
 * do, it ends early, but not before three mutants. The same seed draws the same mutants.
 */
export async function sensitivityOf(input: SensitivityInput): Promise<Sensitivity> {
  const startedAt = performance.now()
  const { checker, history, clean, options, signal } = input
  const wanted = options.mutants ?? defaultMutants
  const { mutations, reason } = forbiddenBy(checker, history)
  const random = new Random(input.seed).fork('sensitivity').fork(checker.name)
  const allowedMs = Math.max(leastMs, mostChecks * clean.ms)
  const ask = asking(input)

  const score = new Map<string, { mutants: number; killed: number }>()
  const survivors: { mutation: string; what: string }[] = []
  let asked = 0
  let cut: string | null = null
  const isClean = async (base: CleanHistory) => (await ask(base)).valid === true
  const bases =
    mutations.length === 0 ? [] : await basesOf(history, { random: random.fork('bases'), isClean })
  for (const mutant of planned(history, { bases, mutations, wanted, random })) {
    const spentMs = performance.now() - startedAt
    if (signal.aborted) cut = 'it was cancelled'
    else if (asked >= leastMutants && spentMs > allowedMs) {
      cut = `the time of ${Math.round(allowedMs)} ms for them was used up, which is about ${mostChecks} checks`
    }
    if (cut !== null) break
    const { valid, why } = await ask({ ...history, ...mutant })
    asked += 1
    const counts = score.get(mutant.mutation) ?? { mutants: 0, killed: 0 }
    score.set(mutant.mutation, counts)
    counts.mutants += 1
    if (valid === false) counts.killed += 1
    else survivors.push({ mutation: mutant.mutation, what: `${mutant.what}${why}` })
  }

  return {
    checker: checker.name,
    mutants: asked,
    killed: asked - survivors.length,
    mutations: [...score].map(([name, counts]) => ({ name, ...counts })),
    survivors,
    floor: options.floor ?? defaultFloor,
    reason: asked < wanted ? (reason ?? fewer(asked, { wanted, cut })) : null,
    ms: performance.now() - startedAt,
  }
}

function fewer(asked: number, { wanted, cut }: { wanted: number; cut: string | null }): string {
  if (cut !== null) return `only ${asked} of ${wanted} mutants: ${cut}`
  if (asked === 0) return 'the history has no place for a mutation that is surely a violation'
  return `only ${asked} of ${wanted} mutants: the history has no place for more`
}

interface Answer {
  readonly valid: CheckResult['valid']
  /** What was the matter when the answer is neither valid nor invalid, to be put behind a sentence. */
  readonly why: string
}

function asking({
  checker,
  clean,
  faults,
  signal,
}: SensitivityInput): (history: CleanHistory) => Promise<Answer> {
  const timeoutMs = Math.max(leastMsEach, mostChecksEach * clean.ms)
  return async ({ operations, model, collected }) => {
    try {
      const { valid, reason } = await checker.check({
        operations,
        model,
        collected,
        faults,
        timeoutMs,
        signal,
        verdictOnly: true,
      })
      return { valid, why: valid === 'unknown' ? `; it answers unknown: ${reason ?? 'no reason'}` : '' }
    } catch (error) {
      return { valid: 'unknown', why: `; the checker itself fails: ${messageOf(error)}` }
    }
  }
}
