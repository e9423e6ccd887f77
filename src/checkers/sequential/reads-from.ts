import { canonical } from '../../models/canonical.js'
import type { Model } from '../../models/model.js'
import { attributed } from '../../models/operation-error.js'
import type { Call } from './calls.js'

/** Who wrote what a call met: the initial value, or not one of these calls. */
export const initialValue = -1
/** The call met nothing in particular. */
export const noSource = -2

/** Which call wrote what each call met, where that is plain: every value of a key was written at most once. */
export interface ReadsFrom {
  /** By call: the call that wrote what it met, `initialValue`, or `noSource`. */
  readonly source: Int32Array
  readonly writes: readonly boolean[]
  /** A call that met a value that nobody wrote; -1 for none. */
  readonly phantom: number
  /** Calls that must have happened: certain ones, and what these met, and so on. */
  readonly happened: readonly boolean[]
}

/**
 * Null when it is not plain: a model that is not of one value a key, a value that was written twice (the initial one
 * counts as written), or calls that met just any other value than some.
 */
export function readsFrom(calls: readonly Call[], model: Model): ReadsFrom | null {
  if (!model.registerAction) return null
  const actions = calls.map(({ operation, seen }) =>
    attributed(operation.op_id, () => model.registerAction?.(seen) ?? null),
  )
  const initial = canonical(model.semantics.init)
  const writers = new Map<string, number>()
  const nameOf = (index: number, value: string) => `${canonical((calls[index] as Call).key)} ${value}`
  for (const [index, action] of actions.entries()) {
    if (action?.differs !== undefined) return null
    if (action?.writes === undefined) continue
    const name = nameOf(index, action.writes)
    if (action.writes === initial || writers.has(name)) return null
    writers.set(name, index)
  }
  const source = new Int32Array(calls.length).fill(noSource)
  let phantom = -1
  for (const [index, action] of actions.entries()) {
    if (action?.reads === undefined) continue
    const writer = writers.get(nameOf(index, action.reads))
    if (writer !== undefined) source[index] = writer
    else if (action.reads === initial) source[index] = initialValue
    else if ((calls[index] as Call).isCertain) phantom = phantom === -1 ? index : phantom
  }
  const happened = calls.map(({ isCertain }) => isCertain)
  const open = [...calls.keys()].filter((index) => happened[index])
  for (const index of open) {
    const from = source[index] as number
    if (from < 0 || happened[from]) continue
    happened[from] = true
    open.push(from)
  }
  return { source, writes: actions.map((action) => action?.writes !== undefined), phantom, happened }
}
