import { never, type Part } from '../../part.js'
import { inOrder } from '../in-order.js'
import { timelineOf } from '../timeline.js'
import type { Growth, Stunted } from './growth.js'

/** Why a number cannot have grown as seen, in few operations. */
export interface Blame {
  /**
   * - `backward`: `operation` began after `base` had returned, and saw less.
   * - `passed`: since `base` (or the start), more adds began and returned before `operation` began than it saw.
   * - `short`: fewer adds than `operation` saw can have come between `base` (or the start) and its return.
   * - `tangled`: none of these alone.
   */
  readonly rule: 'backward' | 'passed' | 'short' | 'tangled'
  readonly operation: number
  readonly base: number | null
  /** The adds that the rule counts. */
  readonly adds: number
  /** In order of invocation. */
  readonly operations: readonly number[]
}

/** More of the counted adds than these are not listed where the violation stands without them. */
const mostListed = 16

/** Finds two observations and the adds between them that contradict each other; all that came before when there are none. */
export function blame(part: Part, growth: Growth, stunted: Stunted): Blame {
  const found = stunted.rule === 'passed' ? passed(part, growth, stunted) : short(part, growth, stunted)
  if (found !== null) return { ...found, operations: inOrder(part, found.operations) }
  const { operation, at, reached } = stunted
  const all: number[] = [operation]
  for (let i = 0; i < part.count; i += 1) {
    const owns = growth.leaves[i]! > 0 && growth.leaves[i]! <= reached + 1
    if (part.invoke[i]! <= at || owns) all.push(i)
  }
  return { rule: 'tangled', operation, base: null, adds: 0, operations: inOrder(part, all) }
}

/** Looks back from the invocation of what saw too little for the observation that leaves the fewest adds to list. */
function passed(part: Part, growth: Growth, { operation }: Stunted): Blame | null {
  const { invoke, complete } = part
  const timeline = timelineOf(part)
  const start = invoke[operation]!
  const seen = growth.leaves[operation]! > 0 ? growth.leaves[operation]! - 1 : growth.atMost[operation]!
  const between: number[] = []
  let best: { base: number | null; needed: number } | null = null
  const consider = (base: number | null, reached: number) => {
    const needed = Math.max(0, seen - reached + 1)
    if (between.length >= needed && (best === null || needed < best.needed)) best = { base, needed }
  }
  for (let at = start - 1; at >= 0 && (best as { needed: number } | null)?.needed !== 0; at -= 1) {
    const event = timeline[at]!
    const i = Math.abs(event) - 1
    if (event > 0 && growth.adds[i] === 1 && complete[i]! < start) between.push(i)
    const reached = Math.max(growth.reaches[i]!, growth.leaves[i]!)
    if (event < 0 && reached > 0) consider(i, reached)
  }
  consider(null, 0)
  if (best === null) return null
  const { base, needed } = best as { base: number | null; needed: number }
  const operations = [...between.slice(0, needed), ...(base === null ? [] : [base]), operation]
  return { rule: needed === 0 ? 'backward' : 'passed', operation, base, adds: needed, operations }
}

/** Looks for the observation that leaves the fewest adds for what was seen on completion. */
function short(part: Part, growth: Growth, { operation }: Stunted): Blame | null {
  const { invoke, complete } = part
  const timeline = timelineOf(part)
  const end = complete[operation]!
  const seen = Math.max(growth.reaches[operation]!, growth.leaves[operation]!)
  let begun = 0
  for (let at = 0; at < end; at += 1) {
    const event = timeline[at]!
    if (event > 0 && growth.adds[event - 1] === 1) begun += 1
  }
  let best: { base: number | null; from: number; adds: number; number: number } | null =
    begun < seen ? { base: null, from: -1, adds: begun, number: 0 } : null
  let returned = 0
  for (let at = 0; at < end; at += 1) {
    const event = timeline[at]!
    const i = Math.abs(event) - 1
    if (event < 0 && growth.adds[i] === 1) returned += 1
    if (event < 0) continue
    const number = growth.leaves[i]! > 0 ? growth.leaves[i]! - 1 : growth.atMost[i]!
    if (number === never || number >= seen || number + begun - returned >= seen) continue
    if (best === null || number > best.number) best = { base: i, from: at, adds: begun - returned, number }
  }
  if (best === null) return null
  const { base, from, adds } = best
  const operations = [...(base === null ? [] : [base]), operation]
  if (adds <= mostListed) {
    for (let i = 0; i < part.count; i += 1) {
      if (growth.adds[i] === 1 && invoke[i]! < end && complete[i]! > from) operations.push(i)
    }
  }
  return { rule: 'short', operation, base, adds, operations }
}
