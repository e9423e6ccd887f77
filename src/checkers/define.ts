import type { Category } from '../claim/claim.js'
import type { OperationField } from '../history/operation.js'
import type { Json } from '../json.js'
import type { Model } from '../models/model.js'
import type { Anomaly, Checker, CheckInput, CheckResult, CollectContext } from './checker.js'
import { misfitOf } from './picker.js'

/** Anomalies that a result lists. The evidence counts the others. */
const listed = 50

/** What a checker's own function finds. */
export interface Judgement {
  /** Operations that it looked at. With none the answer is `unknown`, unless there is an anomaly. */
  readonly consumed: number
  /** What must not have happened: with any the history is invalid. The most telling first. */
  readonly anomalies: readonly Anomaly[]
  /** How many more were found than `anomalies` tells: a million of them are better counted than told. Default 0. */
  readonly untold?: number
  /** Why nothing can be said although no anomaly was found, and what would help. */
  readonly undecided?: string | null
  readonly evidence: Readonly<Record<string, number>>
  /** Default `all`. */
  readonly coverage?: CheckResult['coverage']
}

/** What makes a checker; see `Checker` for the fields. */
export interface CheckerDefinition<Client> {
  readonly name: string
  readonly options?: object
  readonly pattern: number
  /** Default false. */
  readonly usesModel?: boolean
  readonly needs: readonly OperationField[]
  readonly scope: readonly string[]
  /** Default: what the picker says of the name. */
  misfit?(model: Model | null, categories: readonly Category[]): string | null
  collect?(context: CollectContext<Client>): Promise<Json>
  judge(input: CheckInput): Judgement | Promise<Judgement>
  acrossRuns?(results: readonly CheckResult[]): CheckResult
  /** Default: what `forbiddenBy` knows of the name; undefined means the same. Of checkers whose options change it. */
  readonly forbids?: readonly string[] | undefined
  /** See `Checker`. */
  readonly comparedWith?: string | undefined
}

/**
 * A checker from the function that judges. The answer is false with any anomaly, else unknown when the judgement is
 * undecided or looked at nothing, else true. Anomalies beyond the first 50 are counted (`anomalies`) and not listed.
 */
export function defineChecker<Client = unknown>(definition: CheckerDefinition<Client>): Checker<Client> {
  const { name, pattern, usesModel = false, needs, scope, collect, acrossRuns } = definition
  return {
    name,
    pattern,
    usesModel,
    needs,
    scope,
    misfit: (model, categories) =>
      definition.misfit ? definition.misfit(model, categories) : misfitOf(name, { model, categories }),
    ...(collect === undefined ? {} : { collect: (context) => collect.call(definition, context) }),
    ...(definition.options === undefined ? {} : { options: definition.options }),
    ...(definition.forbids === undefined ? {} : { forbids: definition.forbids }),
    ...(definition.comparedWith === undefined ? {} : { comparedWith: definition.comparedWith }),
    ...(acrossRuns === undefined ? {} : { acrossRuns: (results) => acrossRuns.call(definition, results) }),
    async check(input) {
      const startedAt = performance.now()
      const judgement = await definition.judge(input)
      return {
        checker: name,
        model: input.model?.name ?? null,
        ...answerOf(judgement),
        operations: judgement.consumed,
        coverage: judgement.coverage ?? 'all',
        evidence: { ...judgement.evidence, anomalies: judgement.anomalies.length + (judgement.untold ?? 0) },
        anomalies: judgement.anomalies.slice(0, listed),
        scope: [...scope],
        ms: performance.now() - startedAt,
      }
    },
  }
}

function answerOf({ anomalies, undecided, consumed }: Judgement): Pick<CheckResult, 'valid' | 'reason'> {
  if (anomalies.length > 0) return { valid: false, reason: null }
  if (undecided !== undefined && undecided !== null) return { valid: 'unknown', reason: undecided }
  if (consumed === 0)
    return { valid: 'unknown', reason: 'the history has no operation that this checker looks at' }
  return { valid: true, reason: null }
}
