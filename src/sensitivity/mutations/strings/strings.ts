import { outcomeOf, type Operation } from '../../../history/operation.js'
import { grouped } from '../../../checkers/grouped.js'
import type { CleanHistory } from '../../mutation.js'
import { perHistory } from '../../per-history.js'

const reads: ReadonlySet<string> = new Set(['get', 'read'])
const puts: ReadonlySet<string> = new Set(['put', 'write', 'set'])

export interface StringHistory {
  /** Every text that some operation tried to write or append. */
  readonly texts: readonly string[]
  readonly reads: readonly (Operation & { readonly output: string })[]
  /** Appends of texts that nothing else appended; none when the string was ever replaced. */
  readonly appends: ReadonlyMap<string, Operation>
}

/** The history of each string. */
export const stringHistories = perHistory(({ operations, model }: CleanHistory): readonly StringHistory[] => {
  if (model?.name !== 'kv-string-append') return []
  const keys = grouped(operations, ({ key }) => key)
  return [...keys.values()].map((its): StringHistory => {
    const isReplaced = its.some((operation) => puts.has(operation.op_type))
    const appends = new Map<string, Operation>()
    const repeated = new Set<string>()
    for (const operation of its) {
      if (operation.op_type !== 'append' || typeof operation.input !== 'string') continue
      if (appends.has(operation.input)) repeated.add(operation.input)
      appends.set(operation.input, operation)
    }
    for (const text of repeated) appends.delete(text)
    const texts = its.flatMap(({ input }) => (typeof input === 'string' ? [input] : []))
    const seen = its.filter(
      (operation): operation is Operation & { readonly output: string } =>
        reads.has(operation.op_type) && outcomeOf(operation) === 'ok' && typeof operation.output === 'string',
    )
    return { texts, reads: seen, appends: isReplaced ? new Map() : appends }
  })
})
