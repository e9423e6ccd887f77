import type { Json } from '../json.js'
import { canonical } from './canonical.js'
import { describeCall } from './describe.js'
import type { Model, ModelOperation, Semantics } from './model.js'
import { semanticsOf } from './semantics.js'

const name = 'lease'

/** To whom the lease was granted last and has not been given back, as JSON, and the highest fencing token so far. */
export interface LeaseState {
  readonly holder: string | null
  readonly token: number | null
}

/**
 * A lease that may run out at any time: `acquire` is always possible; `renew` and `release` are for the process to which
 * it was granted last, until it gives the lease back. An answer of false means refused: an acquire met a holder, a renew
 * or release found the lease run out or somebody else's. An answer may carry a fencing token, as a number other than the
 * input or as `{ token }`: every grant to another process has a higher one than all before, and the holder's never fall.
 * One lease a key. It knows no time: see `lease-exclusion` for that. Throws DeclarationError when the semantics are wrong.
 */
export function lease(semantics?: Partial<Pick<Semantics, 'nullRead' | 'failed'>>): Model<LeaseState> {
  return {
    name,
    operations: ['acquire', 'renew', 'release'],
    requires: ['process_id'],
    semantics: semanticsOf(name, semantics),
    partition: 'key',
    init: () => ({ holder: null, token: null }),
    identity: (state) => canonical({ ...state }),
    step(state, operation) {
      if (operation.outcome === 'failed') return state
      const process = JSON.stringify(operation.process ?? null)
      const holds = state.holder === process
      if (isRefused(operation)) return refused(state, { type: operation.type, holds })
      if (operation.type !== 'acquire' && !holds) return operation.outcome === 'unknown' ? state : undefined
      const holder = operation.type === 'release' ? null : process
      const token = operation.type === 'release' ? null : tokenOf(operation)
      if (token === null || state.token === null) return { holder, token: token ?? state.token }
      // The holder may be given its own grant once more.
      if (holds ? token < state.token : token <= state.token) return undefined
      return { holder, token }
    },
    // A refusal to its holder says that the lease has run out.
    isObserver: (type, operation) =>
      operation !== undefined &&
      (operation.outcome === 'failed' || (type === 'acquire' && isRefused(operation))),
    describeOperation: describeCall,
    describeState: ({ holder, token }) =>
      [
        holder === null ? 'held by nobody' : `granted to process ${holder}`,
        ...(token === null ? [] : [`last token ${token}`]),
      ].join(', '),
  }
}

function refused(
  state: LeaseState,
  { type, holds }: { readonly type: string; readonly holds: boolean },
): LeaseState | undefined {
  if (type === 'acquire') return state.holder === null ? undefined : state
  return holds ? { ...state, holder: null } : state
}

function isRefused({ outcome, output }: ModelOperation): boolean {
  return outcome === 'ok' && output === false
}

function tokenOf({ input, output, outcome }: ModelOperation): number | null {
  if (outcome !== 'ok') return null
  const token: Json | undefined =
    typeof output === 'object' && output !== null && !Array.isArray(output) ? output['token'] : output
  // Many recorders answer with the input, such as the time to live.
  return typeof token === 'number' && token !== input ? token : null
}
