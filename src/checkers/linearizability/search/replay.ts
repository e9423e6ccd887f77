import { never, none } from '../part.js'
import { illegal, type Problem } from './problem.js'
import type { Searched } from './search-in-turns.js'

/** Longer histories are left to the search, which counts the memory of the states that it meets. */
const longest = 1_000

/**
 * Decides operations of which no two were in flight at once, as on most keys of a large system: they have one order only,
 * and the steps tell. Null when some overlap or were never answered.
 */
export function replay({ count, invoke, complete, kind, behaviour }: Problem): Searched | null {
  if (count > longest) return null
  for (let index = 0; index < count; index += 1) {
    const end = complete[index] as number
    if (end === never || (index + 1 < count && (invoke[index + 1] as number) < end)) return null
  }
  let state = behaviour.initial
  for (let index = 0; index < count; index += 1) {
    const next = behaviour.step(state, kind[index] as number)
    if (next === illegal) {
      const states = [behaviour.describe(state)]
      return { outcome: 'not-linearizable', explored: index, stuckAt: index, states }
    }
    state = next
  }
  return { outcome: 'linearizable', explored: count, stuckAt: none, states: [] }
}
