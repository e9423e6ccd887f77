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

/** The entries as canonical JSON, from offset 0 on. */
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
 * only at the end. `tail` answers the number of entries. One log a key; `init` lists the entries before.
 * Throws DeclarationError when the semantics are wrong.
 */
export function log(given?: Partial<Semantics>): Model<Entries> {
  const semantics = semanticsOf(name, given, [])
  const init = semantics.init ?? []
  if (!Array.isArray(init)) {
    throw new DeclarationError('model-semantics', `${name}(): init must be a list of entries`, {
      hint: 'such as ["first", "second"]',
    })
  }
  const initial = init.map(canonical)

  const actionOf = (operation: ModelOperation): Action | null => {
    const { type, input, output, outcome } = operation
    if (outcome === 'failed') return null
    if (type === 'append') {
      if (input === null) throw unreadable(name, operation, 'takes an entry that is not null')
      return { does: 'append', entry: input, offset: outcome === 'ok' ? offsetOf(operation) : null }
    }
    if (outcome === 'unknown') return null
    if (type === 'tail') {
      const length = offsetSchema.safeParse(output ?? init.length)
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
    if (output === null) return { does: 'list', entries: init }
    if (Array.isArray(output)) return { does: 'list', entries: output }
    const slice = sliceSchema.safeParse(output)
    if (!slice.success) throw unreadable(name, operation, 'answers a list or { from, records }')
    const { from, records } = slice.data
    if (records.length === 0) return { does: 'beyond', offset: from }
    if (records.some(([offset], i) => offset !== from + i)) return { does: 'skip' }
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
      return action === null ? state : after(state, action)
    },
    isObserver: (type, operation) => type !== 'append' || operation?.outcome === 'failed',
    // The columns know no entries from before the history.
    ...(initial.length === 0 ? { object: encoding(actionOf) } : {}),
    describeOperation: describeCall,
    describeState: (state) => `[${state.join(', ')}]`,
  }
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

function after(state: Entries, action: Action): Entries | undefined {
  switch (action.does) {
    case 'append':
      if (action.offset !== null && action.offset !== state.length) return undefined
      return [...state, canonical(action.entry)]
    case 'list':
      return action.entries.length === state.length && holds(state, 0, action.entries) ? state : undefined
    case 'slice':
      return holds(state, action.from, action.entries) ? state : undefined
    case 'at':
      return holds(state, action.offset, [action.entry]) ? state : undefined
    case 'beyond':
      return state.length <= action.offset ? state : undefined
    case 'tail':
      return state.length === action.length ? state : undefined
    case 'skip':
      return undefined
  }
}

function holds(state: Entries, from: number, entries: readonly Json[]): boolean {
  return entries.every((entry, i) => state[from + i] === canonical(entry))
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
