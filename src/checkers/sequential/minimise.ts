import type { Model } from '../../models/model.js'
import { attributed } from '../../models/operation-error.js'
import type { Call } from './calls.js'
import { decide, type DecideOptions } from './decide.js'

/**
 * A small part of a refuted history that no order explains either, and which therefore refutes the whole: smaller and
 * smaller groups of calls are left out as long as what stays is still refuted.
 *
 * Only what may be left out soundly is: observers, and of objects of one value a write with everything that may have
 * met it. Whatever order explained the whole would explain the rest.
 */
export async function minimise(calls: readonly Call[], options: DecideOptions): Promise<readonly Call[]> {
  const users = usersOf(calls, options.model)
  let kept = [...calls]
  for (let size = kept.length; size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start < kept.length && options.pacer.spent === null;) {
      const out = users.withDependants(kept.slice(start, start + size))
      const rest = kept.filter((call) => !out.has(call))
      const isSmaller = rest.length < kept.length && rest.length > 0
      if (isSmaller && (await decide(rest, options)).outcome === 'no-order') kept = rest
      else start += size
    }
  }
  return kept
}

interface Users {
  /** Those of the calls that may be left out, with all that may depend on them. */
  withDependants(calls: readonly Call[]): Set<Call>
}

function usersOf(calls: readonly Call[], model: Model): Users {
  const actions = new Map(
    calls.map((call) => [
      call,
      attributed(call.operation.op_id, () => model.registerAction?.(call.seen) ?? null),
    ]),
  )
  const readers = new Map<string, Call[]>()
  const deniers = new Map<Call['key'], Call[]>()
  for (const [call, action] of actions) {
    if (action?.reads !== undefined) push(readers, nameOf(call, action.reads), call)
    if (action?.differs !== undefined) push(deniers, call.key, call)
  }
  return {
    withDependants(group) {
      const all = new Set(group.filter((call) => call.isObserver || model.registerAction !== undefined))
      for (const call of all) {
        const writes = actions.get(call)?.writes
        if (writes === undefined) continue
        for (const reader of readers.get(nameOf(call, writes)) ?? []) all.add(reader)
        for (const denier of deniers.get(call.key) ?? []) all.add(denier)
      }
      return all
    },
  }
}

function nameOf(call: Call, value: string): string {
  return JSON.stringify([call.key, value])
}

function push<Key>(map: Map<Key, Call[]>, key: Key, call: Call): void {
  const its = map.get(key)
  if (its) its.push(call)
  else map.set(key, [call])
}
