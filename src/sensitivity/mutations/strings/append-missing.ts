import { shown } from '../../../checkers/words.js'
import { outcomeOf, type Operation } from '../../../history/operation.js'
import { answering } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { CleanHistory, Mutation } from '../../mutation.js'
import { perHistory } from '../../per-history.js'
import { grouped } from '../../grouped.js'

const reads: ReadonlySet<string> = new Set(['get', 'read'])
const puts: ReadonlySet<string> = new Set(['put', 'write', 'set'])

interface StringHistory {
  readonly reads: readonly (Operation & { readonly output: string })[]
  /** Acknowledged appends of texts that nothing else appended. */
  readonly appends: ReadonlyMap<string, Operation>
}

/** The history of each string that is only appended to. */
const stringHistories = perHistory(({ operations, model }: CleanHistory): readonly StringHistory[] => {
  if (model?.name !== 'kv-string-append') return []
  const keys = grouped(operations, ({ key }) => key)
  return [...keys.values()].flatMap((its): StringHistory[] => {
    if (its.some((operation) => puts.has(operation.op_type))) return []
    const appends = new Map<string, Operation>()
    const repeated = new Set<string>()
    for (const operation of its) {
      if (operation.op_type !== 'append' || typeof operation.input !== 'string') continue
      if (appends.has(operation.input)) repeated.add(operation.input)
      appends.set(operation.input, operation)
    }
    for (const text of repeated) appends.delete(text)
    const seen = its.filter(
      (operation): operation is Operation & { readonly output: string } =>
        reads.has(operation.op_type) && outcomeOf(operation) === 'ok' && typeof operation.output === 'string',
    )
    return [{ reads: seen, appends }]
  })
})

/** A read does not see a text that was acknowledged before it began. */
export const appendMissing: Mutation = {
  name: 'append-missing',
  about: 'an acknowledged append is lost, or a replica that lags behind answers',
  draw(history, random) {
    return drawFrom(stringHistories(history), random, (string) =>
      drawFrom([...string.appends], random, ([text, append]) => {
        if (text === '' || outcomeOf(append) !== 'ok') return null
        return drawFrom(string.reads, random, (read) => {
          if ((append.complete_ts ?? Infinity) >= read.invoke_ts || !read.output.includes(text)) return null
          const output = read.output.replace(text, '')
          if (output.includes(text)) return null
          const what =
            `${read.op_type} (operation ${JSON.stringify(read.op_id)}) does not see ${shown(text)}, which ` +
            `operation ${JSON.stringify(append.op_id)} had appended before it began`
          return answering(history, { operation: read, output, what })
        })
      }),
    )
  },
}
