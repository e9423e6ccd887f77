import type { Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import type { Cuts } from './cuts.js'

/** The whole state by an answer; undefined when it does not show it. */
type ShownBy = (operation: Operation) => Json | undefined

/** A longer state is no help to a reader, and no word of a command line. */
const longestState = 1_000

/** For objects of which an answer is the whole state: whatever may still take effect is open. */
export function wholeAnswerCuts(shownBy: ShownBy): Cuts {
  return {
    shows(operation) {
      const state = shownBy(operation)
      return state !== undefined && JSON.stringify(state).length <= longestState
    },
    after: (shown, { open }) => ({ init: shownBy(shown) as Json, open }),
  }
}

/** The text that a read of a string answers. */
export const textShown: ShownBy = ({ op_type: type, output }) =>
  (type === 'get' || type === 'read') && typeof output === 'string' ? output : undefined

/** The members that a view answers. */
export const membersShown: ShownBy = ({ op_type: type, output }) => {
  if (type !== 'view') return undefined
  const listed = isObject(output) ? output['members'] : output
  return Array.isArray(listed) ? listed : undefined
}

/** The balances that a read of a ledger answers, when all accounts of the history are among them. */
export function balancesShown(history: readonly Operation[]): ShownBy {
  const accounts = new Set(history.flatMap(accountsIn))
  return ({ op_type: type, output }) =>
    type === 'read' && isObject(output) && [...accounts].every((account) => Object.hasOwn(output, account))
      ? output
      : undefined
}

function accountsIn({ op_type: type, key, input, output }: Operation): readonly string[] {
  if (type === 'read') return isObject(output) ? Object.keys(output) : []
  if (type !== 'transfer') return [String(key)]
  return isObject(input) ? [String(input['from']), String(input['to'])] : []
}

function isObject(value: Json | undefined): value is { readonly [field: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
