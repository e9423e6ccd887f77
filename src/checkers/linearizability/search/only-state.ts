import { none } from '../part.js'
import type { Position } from './position.js'
import { role } from './problem.js'

/**
 * Whether no order leads past the last operation that happened alone to another state than that of the position, or
 * to the same one with fewer operations of unknown outcome used up. Then nothing before that operation matters.
 *
 * That is so where the operation tells the state by itself: it overwrote it, or it met or left a value that is the
 * whole state. Whatever of unknown outcome took effect after it can as well be left for later.
 */
export function isOnlyState({ lastAlone, used, state, behaviour, problem }: Position): boolean {
  if (lastAlone === none || used !== 0) return false
  const kind = problem.kind[lastAlone] as number
  const { value } = behaviour
  if (value === null) return behaviour.roles[kind] === role.overwrite && behaviour.step(state, kind) === state
  const left = value.gives[kind] as number
  return (left === none ? value.needs[kind] : left) === state
}
