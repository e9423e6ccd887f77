import { finalReadsSchema, type FinalRead } from '../../../checkers/no-lost-ack/final-reads.js'
import { defaultRemoves, defaultWrites, writesOf, type Write } from '../../../checkers/no-lost-ack/writes.js'
import { canonical } from '../../../models/canonical.js'
import type { CleanHistory, Mutant } from '../../mutation.js'
import { changed } from '../../change.js'
import { perHistory } from '../../per-history.js'
import { grouped } from '../../../checkers/grouped.js'

const types = { writes: new Set<string>(defaultWrites), removes: new Set<string>(defaultRemoves) }

/** What is known of one key at the end. */
export interface FinalKey {
  readonly key: FinalRead['key']
  /** The answers that were lists are the elements of a collection. */
  readonly isCollection: boolean
  readonly writes: readonly Write[]
  /** Values in removals, and whether some removal may have taken any. */
  readonly removed: ReadonlySet<string>
  readonly hasBlindRemovals: boolean
  readonly initial: string
  /** Answers of the nodes, those that failed left out. */
  readonly reads: readonly FinalRead[]
}

/** The final state by key; nothing when no final reads were made. */
export const finalKeys = perHistory(({ operations, model, collected }: CleanHistory): readonly FinalKey[] => {
  const parsed = finalReadsSchema.safeParse(collected)
  if (!parsed.success) return []
  const answered = parsed.data.filter(({ error }) => error === null)
  const byKey = grouped(answered, ({ key }) => key)
  const isCollection = answered.some(({ value }) => Array.isArray(value))
  const touching = grouped(operations, ({ key }) => key)
  return [...byKey].map(([key, reads]) => {
    const its = touching.get(key) ?? []
    const removals = its.filter(({ op_type: type }) => types.removes.has(type))
    return {
      key,
      isCollection,
      writes: writesOf(its, { types, removesWriteNull: !isCollection }),
      removed: new Set(removals.flatMap(({ input, output }) => [canonical(input), canonical(output)])),
      hasBlindRemovals: removals.some(({ input, output }) => (input ?? output) === null),
      initial: canonical(model?.semantics.init ?? null),
      reads,
    }
  })
})

/** The history whose final answers for a key are others, on every node. */
export function answeringFinally(
  history: CleanHistory,
  {
    key,
    what,
    answer,
  }: { key: FinalRead['key']; what: string; answer: (read: FinalRead) => FinalRead['value'] },
): Mutant {
  const reads = finalReadsSchema.parse(history.collected)
  const collected = reads.map((read) =>
    read.key === key && read.error === null ? { ...read, value: answer(read) } : read,
  )
  return { ...changed(history, { what }), collected }
}

/** For words: where it is read. */
export function under(key: FinalRead['key']): string {
  return key === null ? 'at the end' : `at the end under key ${JSON.stringify(key)}`
}
