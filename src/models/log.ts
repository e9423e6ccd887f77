import { z } from 'zod'
import { logKind, none } from './object-codes.js'
import { DeclarationError } from '../errors.js'
import { jsonSchema, type Json } from '../json.js'
import { canonical } from './canonical.js'
import { describeCall } from './describe.js'
import { fitsColumn } from './fits-column.js'
import type { Codes, Model, ModelOperation, ObjectEncoding, Semantics } from './model.js'
import { unreadable } from './operation-error.js'
import { semanticsOf } from './semantics.js'

const name = 'log'

/** The entries as canonical JSON, from the first offset on that is known. */
type Entries = readonly string[]

type Action =
  | { readonly does: 'append'; readonly entry: Json; readonly offset: number | null }
  | { readonly does: 'list'; readonly entries: readonly Json[] }
  | { readonly does: 'slice'; readonly from: number; readonly entries: readonly Json[] }
  | { readonly does: 'at'; readonly offset: number; readonly entry: Json }
  | { readonly does: 'beyond'; readonly offset: number }
  | { readonly does: 'tail'; readonly length: number }
  | { readonly does: 'skip' }

const offsetSchema = z.int().nonnegative()
const sliceSchema = z.object({
  from: offsetSchema,
  records: z.array(z.tuple([offsetSchema, jsonSchema])),
})

/**
 * A log that only grows, with offsets counted from 0 and without gaps.
 *
 * `append(v)` answers its offset, as a number or as `{ offset }`; a number that repeats the input, or any other
 * answer, says nothing. `read` answers the whole list; `read(n)` the entry at offset n, null past the end;
 * `read({ from }) -> { from, records: [[offset, v], …] }` entries from there on, perhaps not up to the end, and none
 * only at the end. `tail` answers the number of entries. One log a key; `init` lists the entries before, or is
 * `{ from, records: [[offset, v], …] }` for a log of which only the entries from there on are known: of those before it,
 * any answer is possible. Throws DeclarationError when the semantics are wrong.
 */
export function log(given?: Partial<Semantics>): Model<Entries> {
  const semantics = semanticsOf(name, given, [])
  const init = semantics.init ?? []
  const { first, entries: initial } = beginningOf(init)

  const actionOf = (operation: ModelOperation): Action | null => {
    const { type, input, output, outcome } = operation
    if (outcome === 'failed') return null
    if (type === 'append') {
      if (input === null) throw unreadable(name, operation, 'takes an entry that is not null')
      return { does: 'append', entry: input, offset: outcome === 'ok' ? offsetOf(operation) : null }
    }
    if (outcome === 'unknown') return null
    if (type === 'tail') {
      const length = offsetSchema.safeParse(output ?? first + initial.length)
      if (!length.success) throw unreadable(name, operation, 'answers the number of entries')
      return output === null && semantics.nullRead === 'unknown'
        ? null
        : { does: 'tail', length: length.data }
    }
    if (type !== 'read') return null
    if (output === null && semantics.nullRead === 'unknown') return null
    if (input !== null && typeof input !== 'object') {
      const offset = offsetSchema.safeParse(input)
      if (!offset.success) throw unreadable(name, operation, 'takes null, an offset or { from }')
      if (output === null) return { does: 'beyond', offset: offset.data }
      return { does: 'at', offset: offset.data, entry: output }
    }
    if (output === null) {
      return Array.isArray(init)
        ? { does: 'list', entries: init }
        : { does: 'tail', length: first + initial.length }
    }
    if (Array.isArray(output)) return { does: 'list', entries: output }
    const slice = sliceSchema.safeParse(output)
    if (!slice.success) throw unreadable(name, operation, 'answers a list or { from, records }')
    const { from, records } = slice.data
    if (records.length === 0) return { does: 'beyond', offset: from }
    if (!isGapless(slice.data)) return { does: 'skip' }
    return { does: 'slice', from, entries: records.map(([, entry]) => entry) }
  }

  return {
    name,
    operations: ['append', 'read', 'tail'],
    requires: [],
    semantics,
    partition: 'key',
    init: () => initial,
    // JSON has no bare line ends, so this tells any two lists apart.
    identity: (state) => state.join('\n'),
    step(state, operation) {
      const action = actionOf(operation)
      return action === null ? state : after(state, { action, first })
    },
    isObserver: (type, operation) => type !== 'append' || operation?.outcome === 'failed',
    // The columns know no entries from before the history.
    ...(first + initial.length === 0 ? { object: encoding(actionOf) } : {}),
    describeOperation: describeCall,
    describeState(state) {
      const listed = `[${state.join(', ')}]`
      if (first === 0) return listed
      const last = state.length === 0 ? '' : `, the last of them ${listed}`
      return `${first + state.length} entries${last}`
    },
  }
}

/** The entries at first, and the offset of the first of them: what stands before it is not known. */
function beginningOf(init: Json): { readonly first: number; readonly entries: Entries } {
  if (Array.isArray(init)) return { first: 0, entries: init.map(canonical) }
  const slice = sliceSchema.safeParse(init)
  if (slice.success && isGapless(slice.data)) {
    return { first: slice.data.from, entries: slice.data.records.map(([, entry]) => canonical(entry)) }
  }
  throw new DeclarationError(
    'model-semantics',
    `${name}(): init must be a list of entries or { from, records }`,
    {
      hint: 'such as ["first", "second"], or {"from": 7, "records": [[7, "eighth"]]} for a log of 8 entries',
    },
  )
}

function isGapless({ from, records }: z.infer<typeof sliceSchema>): boolean {
  return records.every(([offset], i) => offset === from + i)
}

function offsetOf({ input, output }: ModelOperation): number | null {
  const answer =
    typeof output === 'object' && output !== null && !Array.isArray(output)
      ? output['offset']
      : output === input
        ? null
        : output
  const offset = offsetSchema.safeParse(answer)
  return offset.success ? offset.data : null
}

function after(
  state: Entries,
  { action, first }: { readonly action: Action; readonly first: number },
): Entries | undefined {
  const length = first + state.length
  const holds = (offset: number, entries: readonly Json[]) =>
    entries.every((entry, i) => offset + i < first || state[offset + i - first] === canonical(entry))
  switch (action.does) {
    case 'append':
      if (action.offset !== null && action.offset !== length) return undefined
      return [...state, canonical(action.entry)]
    case 'list':
      return action.entries.length === length && holds(0, action.entries) ? state : undefined
    case 'slice':
      return holds(action.from, action.entries) ? state : undefined
    case 'at':
      return holds(action.offset, [action.entry]) ? state : undefined
    case 'beyond':
      return length <= action.offset ? state : undefined
    case 'tail':
      return length === action.length ? state : undefined
    case 'skip':
      return undefined
  }
}

function encoding(actionOf: (operation: ModelOperation) => Action | null): ObjectEncoding {
  return {
    type: 'log',
    encode(operation, codes) {
      const action = actionOf(operation)
      return action === null || putAction(action, codes)
    },
  }
}

/** False when there are no words for the action. */
function putAction(action: Action, codes: Codes): boolean {
  switch (action.does) {
    case 'append': {
      const { entry, offset } = action
      if (offset !== null && !fitsColumn(offset)) return false
      codes.put(logKind.append, codes.idOf(entry), offset ?? none)
      return true
    }
    case 'list':
      codes.put(
        logKind.list,
        none,
        none,
        action.entries.map((entry) => codes.idOf(entry)),
      )
      return true
    case 'slice':
      if (!fitsColumn(action.from + action.entries.length)) return false
      codes.put(
        logKind.slice,
        none,
        action.from,
        action.entries.map((entry) => codes.idOf(entry)),
      )
      return true
    case 'at':
      if (!fitsColumn(action.offset)) return false
      codes.put(logKind.at, codes.idOf(action.entry), action.offset)
      return true
    case 'beyond':
      if (!fitsColumn(action.offset)) return false
      codes.put(logKind.at, none, action.offset)
      return true
    case 'tail':
      if (!fitsColumn(action.length)) return false
      codes.put(logKind.tail, none, action.length)
      return true
    case 'skip':
      return false
  }
}
