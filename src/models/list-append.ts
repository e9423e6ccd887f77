import { DeclarationError } from '../errors.js'
import type { Json } from '../json.js'
import { canonical } from './canonical.js'
import { describeCall, describeValue } from './describe.js'
import type { Model, Semantics } from './model.js'
import { unreadable } from './operation-error.js'
import { semanticsOf } from './semantics.js'
import { transactionReader } from './transaction.js'

const name = 'list-append'

/** The elements of every list that has some, as canonical JSON without the brackets. */
type Lists = Readonly<Record<string, string>>

/**
 * Several lists under one roof: `txn([[append|r, key, value], …])` is applied at once. An append adds its value to the
 * end of the key's list; a read (`r` or `read`) answers the whole list, null and `[]` both when it is empty, and sees what
 * the same transaction appended before. `init` maps keys to lists; others are empty.
 * Throws DeclarationError when the semantics are wrong.
 */
export function listAppend(given?: Partial<Semantics>): Model<Lists> {
  const semantics = semanticsOf(name, given, {})
  const initial = initialLists(semantics.init)
  const transactions = transactionReader(name, ['append'])

  return {
    name,
    operations: ['txn'],
    requires: ['output'],
    semantics,
    partition: 'whole',
    init: () => initial,
    identity: canonical,
    step(state, operation) {
      if (operation.outcome === 'failed') return state
      const { known, steps } = transactions.read(operation)
      let lists = state
      for (const step of steps) {
        const [, key, value] = step
        const list = Object.hasOwn(lists, key) ? lists[key] : undefined
        if (!transactions.isRead(step)) {
          const element = canonical(value)
          lists = { ...lists, [key]: list === undefined ? element : `${list},${element}` }
        } else if (known && !(value === null && semantics.nullRead === 'unknown')) {
          if (value !== null && !Array.isArray(value)) throw unreadable(name, operation, 'reads lists')
          if (elementsOf(value ?? []) !== (list ?? '')) return undefined
        }
      }
      return lists
    },
    isObserver: (type, operation) =>
      type === 'txn' && operation !== undefined && transactions.isObserver(operation),
    describeOperation: describeCall,
    describeState: (state) =>
      describeValue(Object.fromEntries(Object.entries(state).map(([key, list]) => [key, listOf(list)]))),
  }
}

function initialLists(init: Json): Lists {
  const given = init ?? {}
  if (typeof given !== 'object' || Array.isArray(given) || !Object.values(given).every(Array.isArray)) {
    throw new DeclarationError('model-semantics', `${name}(): init must map keys to lists`, {
      hint: 'such as {"x": [1, 2], "y": []}',
    })
  }
  const filled = Object.entries(given as Record<string, Json[]>).filter(([, list]) => list.length > 0)
  return Object.fromEntries(filled.map(([key, list]) => [key, elementsOf(list)]))
}

function elementsOf(list: readonly Json[]): string {
  return canonical(list as Json[]).slice(1, -1)
}

function listOf(elements: string): Json {
  return JSON.parse(`[${elements}]`) as Json
}
