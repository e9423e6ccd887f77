import { DeclarationError } from '../../errors.js'
import type { Json } from '../../json.js'
import { canonical } from '../../models/canonical.js'

/** An operation as a reference implementation sees it. */
export interface ReferenceOperation {
  readonly type: string
  readonly key: string | number | null
  readonly input: Json
}

/** A simple implementation that is right by being simple: one operation after the other, in one process. */
export interface Reference {
  /** Performs the operation and returns what the system should answer. May change its own state. */
  apply(operation: ReferenceOperation): unknown
}

type Fields = Readonly<Record<string, Json>>

/**
 * A list of records: `create` adds the input and answers with it, `query` answers with `{ ...input, ids }`, the ids of
 * the records that match all fields of the input. Throws DeclarationError for any other operation.
 */
export function recordList(): Reference {
  const records: Fields[] = []
  return {
    apply({ type, input }) {
      const fields = input as Fields
      if (type === 'create') {
        records.push(fields)
        return fields
      }
      if (type !== 'query') {
        throw new DeclarationError(
          'differential',
          `there is no reference for the operation ${JSON.stringify(type)}`,
          {
            hint: 'differential() of recorded histories knows create and query; give it a reference of your own in a scenario',
          },
        )
      }
      const matching = records.filter((record) =>
        Object.entries(fields).every(([name, value]) => record[name] === value),
      )
      return { ...fields, ids: matching.map(({ id }) => id ?? null) }
    },
  }
}

/** Equal answers of a record list; the order of ids does not matter. */
export function sameRecords(answer: Json, expected: Json): boolean {
  return canonical(withSortedIds(answer)) === canonical(withSortedIds(expected))
}

function withSortedIds(answer: Json): Json {
  const ids = (answer as { ids?: unknown } | null)?.ids
  if (!Array.isArray(ids)) return answer
  return {
    ...(answer as Fields),
    ids: (ids as Json[]).toSorted((a, b) => (canonical(a) < canonical(b) ? -1 : 1)),
  }
}
