import { none, type Part } from '../../part.js'
import type { Elements } from './elements.js'

/**
 * When each element is certainly there, by value id: in the gaps `from` up to, and not including, `to`, where gap `t`
 * comes after the event of rank `t`. Never where `from >= to`.
 */
export interface Cores {
  readonly from: Int32Array
  readonly to: Int32Array
}

/** From the return of its put to the call of its take; an element that no take returned may leave from `leavesAt` on. */
export function coresOf(elements: Elements, leavesAt: Int32Array): Cores {
  const { count, take, takeInvoke, putComplete } = elements
  const to = new Int32Array(count)
  for (let element = 0; element < count; element += 1) {
    to[element] = take[element] === none ? (leavesAt[element] as number) : (takeInvoke[element] as number)
  }
  return { from: putComplete, to }
}

/** By gap: 1 where no element is certainly there, else 0. */
export function freeGaps(part: Part, { from, to }: Cores): Uint8Array {
  const change = new Int32Array(part.events + 1)
  for (let element = 0; element < from.length; element += 1) {
    const start = from[element] as number
    const end = to[element] as number
    if (start >= end) continue
    change[start] = (change[start] as number) + 1
    change[end] = (change[end] as number) - 1
  }
  const free = new Uint8Array(part.events)
  let there = 0
  for (let gap = 0; gap < free.length; gap += 1) {
    there += change[gap] as number
    if (there === 0) free[gap] = 1
  }
  return free
}

/**
 * Accepted cores that cover the gaps from `start` up to, and not including, `end`, as few as can be. Where none covers a
 * gap, `bridge` says up to which gap something else does; without it there must be no such gap.
 */
export function coveringChain(
  { from, to }: Cores,
  {
    start,
    end,
    accepts = () => true,
    bridge,
  }: { start: number; end: number; accepts?: (element: number) => boolean; bridge?: (gap: number) => number },
): number[] {
  const candidates: number[] = []
  for (let element = 0; element < from.length; element += 1) {
    if ((from[element] as number) >= end || (to[element] as number) <= start) continue
    if (accepts(element)) candidates.push(element)
  }
  candidates.sort((x, y) => (from[x] as number) - (from[y] as number))
  const chain: number[] = []
  let covered = start
  let next = 0
  while (covered < end) {
    let best = none
    let reach = covered
    for (; next < candidates.length; next += 1) {
      const candidate = candidates[next] as number
      if ((from[candidate] as number) > covered) break
      if ((to[candidate] as number) <= reach) continue
      best = candidate
      reach = to[candidate] as number
    }
    if (best !== none) chain.push(best)
    else if (bridge !== undefined) reach = bridge(covered)
    if (reach <= covered) throw new Error(`gap ${covered} is not covered`)
    covered = reach
  }
  return chain
}
