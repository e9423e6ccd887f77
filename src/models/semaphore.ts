import { semaphoreKind } from './object-codes.js'
import { DeclarationError } from '../errors.js'
import { canonical } from './canonical.js'
import { describeCall } from './describe.js'
import { fitsColumn } from './fits-column.js'
import type { Model, ModelOperation, Semantics } from './model.js'
import { semanticsOf } from './semantics.js'

/** How many permits each holder has, by its id as JSON; those without any are left out. */
export type Holders = Readonly<Record<string, number>>

/**
 * A semaphore with some number of permits: `acquire` takes one, `release` gives one of the process's own back.
 * An answer of false means refused: no permit was free, or the process held none. One semaphore a key.
 * Throws DeclarationError when the number of permits or the semantics are wrong.
 */
export function semaphore(
  permits = 1,
  semantics?: Partial<Pick<Semantics, 'nullRead' | 'failed'>>,
): Model<Holders> {
  return permitModel('semaphore', permits, semantics)
}

/** The models whose state is who holds how many of `permits` permits: `lock` and `semaphore`. */
export function permitModel(
  name: 'lock' | 'semaphore',
  permits: number,
  given: Partial<Semantics> = {},
): Model<Holders> {
  if (!Number.isInteger(permits) || permits < 1 || !fitsColumn(permits)) {
    throw new DeclarationError('model-semantics', `${name}(): expected a number of permits, got ${permits}`, {
      hint: 'such as semaphore(3), or init 3 where the model is named',
    })
  }
  return {
    name,
    operations: ['acquire', 'release'],
    requires: ['process_id'],
    semantics: semanticsOf(name, { ...given, init: permits }),
    partition: 'key',
    init: () => ({}),
    identity: canonical,
    step(state, operation) {
      const { outcome, type } = operation
      if (outcome === 'failed') return state
      const holder = JSON.stringify(operation.process ?? null)
      const held = Object.hasOwn(state, holder) ? (state[holder] ?? 0) : 0
      const granted =
        type === 'acquire' ? Object.values(state).reduce((sum, count) => sum + count, 0) < permits : held > 0
      if (isRefused(operation)) return granted ? undefined : state
      if (!granted) return outcome === 'unknown' ? state : undefined
      const left = type === 'acquire' ? held + 1 : held - 1
      const { [holder]: _, ...others } = state
      return left === 0 ? others : { ...others, [holder]: left }
    },
    isObserver: (_type, operation) =>
      operation !== undefined && (operation.outcome === 'failed' || isRefused(operation)),
    object: {
      type: 'semaphore',
      encode(operation, codes) {
        if (operation.outcome === 'failed') return true
        if (isRefused(operation)) return false
        codes.put(semaphoreKind[operation.type as 'acquire' | 'release'], permits, 0)
        return true
      },
    },
    describeOperation: describeCall,
    describeState(state) {
      const holders = Object.entries(state).map(([holder, count]) =>
        count === 1 ? holder : `${holder} ${count} times`,
      )
      return holders.length === 0 ? 'held by nobody' : `held by process ${holders.join(', ')}`
    },
  }
}

function isRefused({ outcome, output }: ModelOperation): boolean {
  return outcome === 'ok' && output === false
}
