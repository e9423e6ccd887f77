import type { Checker, CheckResult } from '../checkers/checker.js'
import { messageOf } from '../errors.js'
import type { FaultSpan } from '../history/fault-span.js'
import { Random } from '../random/random.js'
import { basesOf, noBases } from './bases.js'
import { forbiddenBy } from './forbids.js'
import type { CleanHistory } from './mutation.js'
import type { SensitivityOptions } from './options.js'
import { planned, type Question } from './plan.js'
import { Tally, type Answer } from './tally.js'
import { inGroups, noticedIn, together } from './together.js'
import type { Sensitivity } from './result.js'

const defaultMutants = 20
const defaultFloor = 0.95
/** The time for all mutants, in checks of the history itself. */
const mostChecks = 2
/** That much time is allowed in any case: a short check says little of what a mutant takes. */
const leastMs = 500
/** So many mutants are asked about in any case: fewer say nothing. */
const leastMutants = 3
/** The time for a mutant of the whole history, in checks of the history itself, and at least. */
const mostChecksEach = 1.5
const leastMsEach = 300
/** The time for a mutant of a small part, which takes a fraction of it unless the machine is busy. */
const partMs = 1_000

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
 * do, it ends early, but not before three mutants. A mutant that the checker cannot decide in the time for it, such as one
 * of the whole history in about the time of its check, is not counted, unless these are the most of them. The same seed
 * draws the same mutants.
 */
export async function sensitivityOf(input: SensitivityInput): Promise<Sensitivity> {
  const startedAt = performance.now()
  const { checker, history, clean, options, signal } = input
  const wanted = options.mutants ?? defaultMutants
  const forbidden = forbiddenBy(checker, history)
  const random = new Random(input.seed).fork('sensitivity').fork(checker.name)
  const allowedMs = Math.max(leastMs, mostChecks * clean.ms)
  const ask = asking(input)

  const tally = new Tally()
  const tooSlow: { mutant: Question; answer: Answer; why: string }[] = []
  const { isClosed, areApart } = forbidden
  const isClean = async (part: CleanHistory) => (await ask(part, partMs)).valid === true
  const bases =
    forbidden.mutations.length === 0
      ? noBases
      : await basesOf(history, { random: random.fork('parts'), isClean: areApart ? 'always' : isClean })
  let ended: string | null = null
  const questions = planned(history, { bases, forbidden, wanted, random })
  for (const group of inGroups(questions, { areApart: areApart && isClosed && bases.kind === 'prefixes' })) {
    const isLate = performance.now() - startedAt > allowedMs
    if (isLate && tally.mutants + tooSlow.length >= leastMutants) {
      ended = `the time of ${Math.round(allowedMs)} ms for them was used up`
      break
    }
    const noticed =
      group.length < 2 ? new Set<number>() : noticedIn(await ask(sideBySide(history, group), partMs))
    for (const [index, mutant] of group.entries()) {
      const eachMs = mutant.isWhole ? Math.max(leastMsEach, mostChecksEach * clean.ms) : partMs
      const answer = noticed.has(index) ? seen : await ask({ ...history, ...mutant }, eachMs)
      if (signal.aborted) break
      if (answer.valid === 'unknown' && answer.ms >= eachMs) {
        const where = mutant.isWhole ? 'the whole history' : 'a part of the history'
        const why = `${mutant.mutation} in ${where} was not decided in ${Math.round(eachMs)} ms`
        tooSlow.push({ mutant, answer, why })
      } else tally.count(mutant, answer)
    }
    if (signal.aborted) {
      ended = 'it was cancelled'
      break
    }
  }

  // A checker that can decide few of them is not known to notice anything.
  if (tooSlow.length > tally.mutants)
    for (const { mutant, answer } of tooSlow.splice(0)) tally.count(mutant, answer)

  const { mutants, killed, survivors, mutations } = tally
  return {
    checker: checker.name,
    mutants,
    killed,
    mutations,
    survivors,
    floor: options.floor ?? defaultFloor,
    reason:
      mutants < wanted
        ? (forbidden.reason ?? fewer(mutants, { wanted, tooSlow: tooSlow.map(({ why }) => why), ended }))
        : null,
    ms: performance.now() - startedAt,
  }
}

const seen: Answer = { valid: false, why: '', ms: 0 }

function sideBySide(history: CleanHistory, mutants: readonly Question[]): CleanHistory {
  return { ...history, operations: together(mutants) }
}

function fewer(
  mutants: number,
  { wanted, tooSlow, ended }: { wanted: number; tooSlow: readonly string[]; ended: string | null },
): string {
  const isAll = ended === null && mutants + tooSlow.length < wanted
  const why = [
    ...tooSlow,
    ...(ended === null ? [] : [ended]),
    ...(isAll ? ['the history has no place for more that are surely violations'] : []),
  ]
  return `only ${mutants} of ${wanted} mutants: ${why.join('; ')}`
}

type Asked = Answer & Pick<CheckResult, 'anomalies'>

function asking({
  checker,
  faults,
  signal,
}: SensitivityInput): (history: CleanHistory, timeoutMs: number) => Promise<Asked> {
  return async ({ operations, model, collected }, timeoutMs) => {
    const startedAt = performance.now()
    const answered = (valid: Answer['valid'], why: string, anomalies: Asked['anomalies'] = []) => ({
      valid,
      why,
      anomalies,
      ms: performance.now() - startedAt,
    })
    try {
      const { valid, reason, anomalies } = await checker.check({
        operations,
        model,
        collected,
        faults,
        timeoutMs,
        signal,
        verdictOnly: true,
      })
      const why = valid === 'unknown' ? `; it answers unknown: ${reason ?? 'no reason'}` : ''
      return answered(valid, why, anomalies)
    } catch (error) {
      return answered('unknown', `; the checker itself fails: ${messageOf(error)}`)
    }
  }
}
