import { none } from '../part.js'
import type { Position } from './position.js'
import { role } from './problem.js'
import type { UnknownOperations } from './unknown-operations.js'

/** How far to look for an observer that shows that a state leads nowhere. */
const lookahead = 32

/** Whether the state cannot become what an observer needs, and nothing can overwrite it before that returns. */
export function leadsNowhere(position: Position, unknown: UnknownOperations): boolean {
  const { behaviour, calls, end, state, usedOfKind, problem } = position
  if (behaviour.leadsTo === undefined) return false
  const observer = nextObserver(position)
  if (observer === none || behaviour.leadsTo(state, problem.kind[observer] as number)) return false
  const limit = problem.complete[observer] as number
  for (let call = calls.next[end] as number; call !== end; call = calls.next[call] as number) {
    if ((problem.invoke[call] as number) >= limit) break
    if (behaviour.roles[problem.kind[call] as number] === role.overwrite) return false
  }
  return !unknown.kinds.some((kind) => {
    if (behaviour.roles[kind] !== role.overwrite) return false
    return unknown.next(kind, usedOfKind[kind] as number, limit) !== none
  })
}

/** The observer that returns next; `none` when there is none nearby. */
function nextObserver({ behaviour, returns, end, problem }: Position): number {
  let one = returns.next[end] as number
  for (let looked = 0; one !== end && looked < lookahead; looked += 1) {
    if (behaviour.roles[problem.kind[one] as number] === role.observer) return one
    one = returns.next[one] as number
  }
  return none
}
