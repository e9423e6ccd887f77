import type { Anomaly, Checker, CheckInput, CheckResult } from '../../checkers/checker.js'
import type { Operation } from '../../history/operation.js'
import { shortestAnomaly } from '../violation.js'
import { leaveOut, type Violates } from './leave-out.js'
import { rulesFor, type Rules } from './rules.js'
import { closed, type ClosedPart, type Ties } from './ties/ties.js'

export interface MinimiseInput extends Pick<CheckInput, 'operations' | 'model' | 'faults' | 'signal'> {
  readonly checker: Pick<Checker, 'name' | 'usesModel' | 'check'>
  /** What `collect` of the checker returned; null (the default) when it collects nothing. */
  readonly collected?: CheckInput['collected']
  /** What the checker said of the operations. */
  readonly result: Pick<CheckResult, 'valid' | 'anomalies'>
  /** What is smallest by then is the answer. */
  readonly timeoutMs: number
}

/** The core of a violation: a small part of the history that is one by itself and shows that the whole is one. */
export interface Minimised {
  /** As they were recorded, in order of invocation. */
  readonly operations: readonly Operation[]
  /** True when leaving out any one of them, with what depends on it, leaves no violation of this kind. */
  readonly minimal: boolean
  /** What the checker says of them. */
  readonly explanation: string
  /** The kind of anomaly that stays; null when the checker says no more than that the history is wrong. */
  readonly type: string | null
  /** How often the checker was asked. */
  readonly checks: number
  readonly ms: number
}

/** Types of anomalies that say no more than that the history is wrong. */
const general: ReadonlySet<string> = new Set(['not-linearizable', 'not-sequential'])
/** To explain what is left when the time has run out. */
const leastExplainingMs = 1_000

/**
 * Makes a violation small without running anything again: the same checker still finds an anomaly of one and the same type
 * in what is left, no operation is there without its causes, and none can be left out. It begins with what the checker's
 * shortest anomaly names and its causes, else with the objects that it names, else with the whole history. Where closed
 * parts prove something (see `rulesFor`), the type is the one that the checker gives to the part that it begins with.
 *
 * Null when there is nothing to make smaller: no violation, a checker of whose claim it is not known what may be left
 * out (see `rulesFor`), or one that does not find the violation again in time. Throws what the checker throws.
 */
export async function minimise(input: MinimiseInput): Promise<Minimised | null> {
  const startedAt = performance.now()
  const rules = rulesFor(input.checker, input.model)
  if (input.result.valid !== false || rules === null) return null
  const { operations } = input
  const anomaly = shortestAnomaly(input.result)
  const named = new Set(anomaly?.operations)
  const shown = operations.filter(({ op_id: id }) => named.has(id))
  if (rules.reach === 'anomaly' && shown.length === 0) return null
  const ties = rules.ties(rules.reach === 'anomaly' ? shown : operations)
  const judge = new PartJudge(input, ties, { type: anomaly?.type, startedAt })
  for (const start of startsOf({ shown, operations, ties, rules, model: input.model })) {
    const answer = await judge.begin(start.operations, { anyType: rules.reach === 'history' })
    if (answer === null) return null
    if (!answer) continue
    const left = await leaveOut(start, ties, judge.violates)
    const explanation = await judge.explain(left.operations)
    return { ...left, explanation, type: judge.type, checks: judge.checks, ms: performance.now() - startedAt }
  }
  return null
}

/** Closed parts of the history to begin with, the smallest first. */
function* startsOf({
  shown,
  operations,
  ties,
  rules,
  model,
}: {
  shown: readonly Operation[]
  operations: readonly Operation[]
  ties: Ties
  rules: Rules
  model: CheckInput['model']
}): Generator<ClosedPart> {
  if (shown.length > 0) yield closed(shown, { ties, history: operations })
  if (rules.reach === 'anomaly') return
  const keys = new Set(shown.map(({ key }) => key))
  if (shown.length > 0 && model?.partition !== 'whole') {
    const onKeys = operations.filter(({ key }) => keys.has(key))
    if (onKeys.length < operations.length) yield closed(onKeys, { ties, history: operations })
  }
  yield closed(operations, { ties, history: operations })
}

/** Asks the checker about parts of the history, until the time has run out. */
class PartJudge {
  checks = 0
  /** What is looked for; null when anything is. */
  type: string | null
  readonly #input: MinimiseInput
  readonly #ties: Ties
  readonly #startedAt: number

  constructor(
    input: MinimiseInput,
    ties: Ties,
    { type, startedAt }: { type: string | undefined; startedAt: number },
  ) {
    this.#input = input
    this.#ties = ties
    this.#startedAt = startedAt
    this.type = told(type)
  }

  /** As `violates`; with `anyType`, what is found instead of the type looked for is looked for from then on. */
  async begin(part: readonly Operation[], { anyType }: { anyType: boolean }): Promise<boolean | null> {
    const wanted = this.type
    const answer = await this.violates(part)
    if (answer !== false || wanted === null || !anyType) return answer
    this.type = null
    const found = await this.#find(part, { verdictOnly: true, timeoutMs: this.#leftMs })
    this.type = found === undefined ? wanted : told(found.type)
    return found !== undefined
  }

  readonly violates: Violates = async (part) => {
    if (this.#leftMs <= 0 || this.#input.signal?.aborted === true) return null
    const found = await this.#find(part, { verdictOnly: true, timeoutMs: this.#leftMs })
    return found !== undefined
  }

  /** What the checker says of a part that violates. */
  async explain(part: readonly Operation[]): Promise<string> {
    const timeoutMs = Math.max(this.#leftMs, leastExplainingMs)
    return (await this.#find(part, { verdictOnly: false, timeoutMs }))?.explanation ?? ''
  }

  /** The anomaly in a part that is of the same type as the one that is made small. */
  async #find(
    part: readonly Operation[],
    limits: { verdictOnly: boolean; timeoutMs: number },
  ): Promise<Anomaly | undefined> {
    this.checks += 1
    const { checker, model, collected = null, faults, signal } = this.#input
    const { valid, anomalies } = await checker.check({
      operations: this.#ties.shown?.(part) ?? part,
      model,
      collected,
      ...(faults === undefined ? {} : { faults }),
      ...(signal === undefined ? {} : { signal }),
      ...limits,
    })
    if (valid !== false) return undefined
    const isSame = ({ type }: Anomaly) => this.type === null || type === this.type || general.has(type)
    return anomalies.find(isSame)
  }

  get #leftMs(): number {
    return this.#input.timeoutMs - (performance.now() - this.#startedAt)
  }
}

function told(type: string | undefined): string | null {
  return type === undefined || general.has(type) ? null : type
}
