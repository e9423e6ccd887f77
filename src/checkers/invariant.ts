import { DeclarationError, messageOf } from '../errors.js'
import type { Operation } from '../history/operation.js'
import { jsonSchema, type Json } from '../json.js'
import type { Anomaly, Checker, CheckResult, CollectContext } from './checker.js'

/** What an invariant is judged on. */
export interface InvariantFacts<State> {
  /** What `collect` returned at quiescence; null without `collect`. */
  readonly state: State
  readonly operations: readonly Operation[]
  /** Counts one assertion; a condition that is false is a violation that these operations show. */
  assert(condition: boolean, explanation: string, operations?: readonly Operation['op_id'][]): void
}

export interface InvariantOptions<Client, State> {
  /** Reads the state at quiescence. Must resolve to a JSON value; undefined counts as null. */
  collect?: (context: CollectContext<Client>) => Promise<State> | State
  /**
   * True when the invariant holds, false when it does not, or a list of what violates it; each of these answers counts
   * as one assertion. Without an answer what counts is the calls of `assert`.
   */
  holds: (facts: InvariantFacts<State>) => HoldsAnswer | Promise<HoldsAnswer>
}

type HoldsAnswer = boolean | readonly string[] | void

const collectedKey = 'collected'
const errorKey = 'error'

/**
 * An invariant of the user's own over the final state at quiescence, the history, or both.
 *
 * A function that threw, answered with something else, or asserted nothing gives `unknown`, never valid.
 * Throws DeclarationError when the name or the functions are missing.
 */
export function invariant<Client = unknown, State = Json>(
  name: string,
  options: InvariantOptions<Client, State>,
): Checker<Client> {
  checkOptions(name, options)
  const { collect, holds } = options
  const checker: Checker<Client> = {
    name: `invariant: ${name}`,
    options,
    pattern: collect ? 12 : 2,
    usesModel: false,
    needs: [],
    scope: ['anything that the invariant does not mention', ...(collect ? ['states before quiescence'] : [])],
    misfit: () => null,
    async check({ operations, collected, model }) {
      const startedAt = performance.now()
      const outcome = await judge(collected, { operations, holds, collects: collect !== undefined })
      return {
        checker: checker.name,
        model: model?.name ?? null,
        ...outcome,
        operations: operations.length,
        coverage: 'all',
        scope: [...checker.scope],
        ms: performance.now() - startedAt,
      }
    },
  }
  return collect ? { ...checker, collect: (context) => collectState(context, collect) } : checker
}

function checkOptions(name: unknown, options: unknown): void {
  const hint = "invariant('money is conserved', { collect: …, holds: ({ state }) => state.total === 100 })"
  if (typeof name !== 'string' || name === '') {
    throw new DeclarationError('invariant', 'invariant(): the first argument is what must hold, in words', {
      hint,
    })
  }
  const { holds, collect } = (options ?? {}) as Record<string, unknown>
  if (typeof holds !== 'function') {
    throw new DeclarationError('invariant', `invariant ${JSON.stringify(name)}: holds must be a function`, {
      hint,
    })
  }
  if (collect !== undefined && typeof collect !== 'function') {
    throw new DeclarationError('invariant', `invariant ${JSON.stringify(name)}: collect must be a function`, {
      hint,
    })
  }
}

/** The collected state in an envelope, so that a failure to collect is on record and not mistaken for a state. */
async function collectState<Client>(
  context: CollectContext<Client>,
  collect: (context: CollectContext<Client>) => unknown,
): Promise<Json> {
  try {
    const parsed = jsonSchema.safeParse((await collect(context)) ?? null)
    if (parsed.success) return { [collectedKey]: parsed.data }
    return { [errorKey]: 'collect() answered with something that is no JSON value' }
  } catch (error) {
    return { [errorKey]: `collect() failed: ${messageOf(error)}` }
  }
}

type Outcome = Pick<CheckResult, 'valid' | 'reason' | 'evidence' | 'anomalies'>

async function judge<State>(
  collected: Json,
  {
    operations,
    holds,
    collects,
  }: { operations: readonly Operation[]; holds: InvariantOptions<never, State>['holds']; collects: boolean },
): Promise<Outcome> {
  const anomalies: Anomaly[] = []
  let assertions = 0
  const violated = (explanation: string, ids: readonly Operation['op_id'][] = []) =>
    anomalies.push({ type: 'invariant-violated', explanation, operations: [...ids] })
  const outcome = (valid: CheckResult['valid'], reason: string | null): Outcome => ({
    valid,
    reason,
    evidence: { assertions, operations: operations.length },
    anomalies,
  })

  const state = collects ? collectedIn(collected) : { value: null }
  if ('error' in state) return outcome('unknown', state.error)
  if (!collects && operations.length === 0)
    return outcome('unknown', 'there is neither a history nor a final state')

  let answer: unknown
  try {
    answer = await holds({
      state: state.value as State,
      operations,
      assert(condition, explanation, ids) {
        assertions += 1
        if (!condition) violated(explanation, ids)
      },
    })
  } catch (error) {
    return anomalies.length > 0
      ? outcome(false, null)
      : outcome('unknown', `holds() failed: ${messageOf(error)}`)
  }
  if (typeof answer === 'boolean' || isListOfTexts(answer)) assertions += 1
  else if (answer !== undefined) {
    const expected =
      'holds() must answer true, false, a list of violations in words, or nothing after assert()'
    return anomalies.length > 0
      ? outcome(false, null)
      : outcome('unknown', `${expected}; got ${String(answer)}`)
  }
  if (answer === false) violated('The invariant does not hold')
  if (isListOfTexts(answer)) for (const violation of answer) violated(violation)
  if (anomalies.length > 0) return outcome(false, null)
  return assertions === 0 ? outcome('unknown', 'holds() asserted nothing') : outcome(true, null)
}

function collectedIn(collected: Json): { value: Json } | { error: string } {
  if (typeof collected === 'object' && collected !== null && !Array.isArray(collected)) {
    if (collectedKey in collected) return { value: collected[collectedKey] ?? null }
    if (errorKey in collected) return { error: String(collected[errorKey]) }
  }
  return { error: 'the final state was not collected: that happens when the system is quiescent' }
}

function isListOfTexts(answer: unknown): answer is readonly string[] {
  return Array.isArray(answer) && answer.every((item) => typeof item === 'string')
}
