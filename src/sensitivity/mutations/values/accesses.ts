import { outcomeOf, type Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import { canonical } from '../../../models/canonical.js'
import type { Model } from '../../../models/model.js'
import { seenBy } from '../../model-operation.js'
import type { CleanHistory } from '../../mutation.js'
import { perHistory } from '../../per-history.js'
import { sessionAccesses } from './sessions.js'
import { transactionAccesses } from './transactions.js'
import { grouped } from '../../../checkers/grouped.js'

/** What one operation has to do with one value. Values are canonical JSON. */
export interface Access {
  readonly operation: Operation
  /** Names the value that it is about, such as the key. */
  readonly object: string
  /** The value that it met. Only of operations that were answered. */
  readonly reads?: string | undefined
  /** The value that it left, if it took effect. */
  readonly writes?: string | undefined
  /** It was acknowledged, so it took effect. */
  readonly ok: boolean
  /** The operation as it would be had it met another value; null when it cannot say so. Absent unless it reads. */
  meeting?(value: Json): Operation | null
}

/** Everything that happened to one value. */
export interface ValueHistory {
  readonly object: string
  readonly initial: string
  /** Acknowledged writes in order of completion. */
  readonly acknowledged: readonly Access[]
  /** For every place in `acknowledged` which of the writes up to there was invoked last. */
  readonly lastInvoked: readonly Access[]
  /** The operations that may have written a value. */
  readonly writers: ReadonlyMap<string, readonly Access[]>
  /** The writes of values that nothing else can have left, in order of invocation. */
  readonly writtenOnce: readonly Access[]
  /** Acknowledged operations that say what they met. */
  readonly reads: readonly Access[]
  /** What each process did, one after the other. */
  readonly byProcess: ReadonlyMap<Operation['process_id'], readonly Access[]>
}

/** The history of each value of models of values; none of other models. */
export const valueHistories = perHistory(({ operations, model }: CleanHistory): readonly ValueHistory[] => {
  if (model === null) return []
  const accesses =
    transactionAccesses(operations, model) ??
    sessionAccesses(operations, model) ??
    singleAccesses(operations, model)
  const objects = grouped(accesses, ({ object }) => object)
  return [...objects].map(([object, its]) => historyOf(object, its, model))
})

function singleAccesses(operations: readonly Operation[], model: Model): readonly Access[] {
  const { registerAction } = model
  if (registerAction === undefined) return []
  const actionOf = (operation: Operation) => registerAction.call(model, seenBy(model, operation))
  return operations.flatMap((operation): Access[] => {
    if (!model.operations.includes(operation.op_type)) return []
    const outcome = outcomeOf(operation)
    if (outcome === 'failed') return []
    const action = actionOf(operation)
    if (action === null) return []
    const ok = outcome === 'ok'
    const { reads, writes } = action
    const access = { operation, object: canonical(operation.key), writes, ok }
    if (reads === undefined || !ok) return [access]
    const meeting = (value: Json) => {
      const text = canonical(value)
      const candidates = [
        { ...operation, output: value },
        ...(Array.isArray(operation.input)
          ? [{ ...operation, input: [value, operation.input[1] ?? null] }]
          : []),
      ]
      return (
        candidates.find((candidate) => {
          const seen = actionOf(candidate)
          return seen !== null && seen.reads === text && seen.writes === writes
        }) ?? null
      )
    }
    return [{ ...access, reads, meeting }]
  })
}

function historyOf(object: string, accesses: readonly Access[], model: Model): ValueHistory {
  const acknowledged = accesses
    .filter(({ ok, writes }) => ok && writes !== undefined)
    .sort((a, b) => completed(a) - completed(b))
  const lastInvoked: Access[] = []
  for (const write of acknowledged) {
    const before = lastInvoked.at(-1)
    const isLater = before === undefined || write.operation.invoke_ts > before.operation.invoke_ts
    lastInvoked.push(isLater ? write : before)
  }
  const written = accesses.filter(({ writes }) => writes !== undefined)
  const writers = grouped(written, ({ writes }) => writes as string)
  const byProcess = grouped(
    accesses.filter(({ ok }) => ok),
    ({ operation }) => operation.process_id,
  )
  const reads = accesses.filter(({ ok, meeting }) => ok && meeting !== undefined)
  const initial = initialOf(object, model)
  const writtenOnce = written.filter(
    ({ writes }) => writes !== initial && writers.get(writes as string)?.length === 1,
  )
  return { object, initial, acknowledged, lastInvoked, writers, writtenOnce, reads, byProcess }
}

function initialOf(object: string, { partition, semantics: { init } }: Model): string {
  if (partition === 'key') return canonical(init)
  const values = typeof init === 'object' && init !== null && !Array.isArray(init) ? init : {}
  return canonical(values[JSON.parse(object) as string] ?? null)
}

/** When an acknowledged operation had returned. */
export function completed({ operation }: Access): number {
  return operation.complete_ts ?? Infinity
}
