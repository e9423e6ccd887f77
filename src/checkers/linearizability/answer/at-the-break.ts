import type { Break } from '../../checker.js'
import { illegal, role } from '../search/problem.js'
import type { Search } from '../search/search.js'

const mostPending = 20

/** What a search knew when it got no further. */
export interface AtTheBreak extends Pick<Break, 'states'> {
  /** Other operations in flight, by index in the problem. */
  readonly pending: readonly { readonly index: number; readonly why: string }[]
}

/** The states that are possible where a search got no further, and why no operation in flight helps there. */
export function atTheBreak(search: Search): AtTheBreak {
  const { problem, stuckAt, stateIdsWhenStuck: ids } = search
  const { behaviour, complete, invoke, kind, count } = problem
  const horizon = complete[stuckAt] as number
  const pending: { index: number; why: string }[] = []
  for (let index = 0; index < count && pending.length < mostPending; index += 1) {
    const isOpen = (invoke[index] as number) < horizon && (complete[index] as number) > horizon
    if (isOpen) pending.push({ index, why: why(index) })
  }
  return { states: [...search.statesWhenStuck], pending }

  function why(index: number): string {
    const its = kind[index] as number
    if (behaviour.roles[its] === role.observer) return 'only observes'
    const after = ids.map((state) => behaviour.step(state, its)).filter((state) => state !== illegal)
    if (after.length === 0) return 'is not possible in any of these states'
    const helps = after.some((state) => behaviour.step(state, kind[stuckAt] as number) !== illegal)
    if (helps) return 'had to take effect earlier in every order that gets this far'
    const left = [...new Set(after)].map((state) => behaviour.describe(state))
    return `would leave ${left.slice(0, 3).join(' or ')}, in which the result is not possible either`
  }
}
