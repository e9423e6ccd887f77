import type { Anomaly, CheckResult } from '../../checkers/checker.js'
import type { Operation } from '../../history/operation.js'
import type { Model } from '../../models/model.js'
import type { Refutes } from './beginnings/from-a-state.js'
import type { Violates } from './leave-out.js'
import type { MinimiseInput } from './minimise.js'

/** Types of anomalies that say no more than that the history is wrong. */
const general: ReadonlySet<string> = new Set(['not-linearizable', 'not-sequential'])
/** To explain what is left when the time has run out. */
const leastExplainingMs = 1_000
/** Where a violation in more operations breaks is not worked out, which takes long and which the explanation does not need. */
const mostExplained = 10_000
/** A core from some state that takes longer to check is passed over. */
const longestCheckMs = 2_000

/** Asks the checker about parts of the history, until the time has run out. */
export class PartJudge {
  checks = 0
  /** What is looked for; null when anything is. */
  type: string | null
  readonly #input: MinimiseInput
  readonly #startedAt: number

  constructor(input: MinimiseInput, { type, startedAt }: { type: string | undefined; startedAt: number }) {
    this.#input = input
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
    const verdictOnly = part.length > mostExplained
    return (await this.#find(part, { verdictOnly, timeoutMs }))?.explanation ?? ''
  }

  /** Whether the operations are a violation by a model of another beginning. */
  readonly refutes: Refutes = async (operations, model) => {
    if (this.#leftMs <= 0 || this.#input.signal?.aborted === true) return null
    const timeoutMs = Math.min(this.#leftMs, longestCheckMs)
    return (await this.#check(operations, model, { verdictOnly: true, timeoutMs })).valid === false
  }

  /** The anomaly in a part that is of the same type as the one that is made small. */
  async #find(
    part: readonly Operation[],
    limits: { verdictOnly: boolean; timeoutMs: number },
  ): Promise<Anomaly | undefined> {
    const { valid, anomalies } = await this.#check(part, this.#input.model, limits)
    if (valid !== false) return undefined
    const isSame = ({ type }: Anomaly) => this.type === null || type === this.type || general.has(type)
    return anomalies.find(isSame)
  }

  #check(
    operations: readonly Operation[],
    model: Model | null,
    limits: { verdictOnly: boolean; timeoutMs: number },
  ): Promise<CheckResult> {
    this.checks += 1
    const { checker, collected = null, faults, signal } = this.#input
    return checker.check({
      operations,
      model,
      collected,
      ...(faults === undefined ? {} : { faults }),
      ...(signal === undefined ? {} : { signal }),
      ...limits,
    })
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedAt
  }

  get #leftMs(): number {
    return this.#input.timeoutMs - this.elapsedMs
  }
}

function told(type: string | undefined): string | null {
  return type === undefined || general.has(type) ? null : type
}
