import { Deadlines } from '../deadlines.js'
import { never, type Part } from '../../part.js'
import { timelineOf } from '../timeline.js'

/**
 * What is known of a number that starts at 0 and only grows by one at a time: a counter, or the length of a log.
 * All by operation of the part.
 */
export interface Growth {
  /** 1 where the operation adds one. */
  readonly adds: Uint8Array
  /** The number that an add leaves, where it is known; 0 where not. No two adds leave the same. */
  readonly leaves: Int32Array
  /** The number was at least this at some moment before the operation completed. 0 says nothing. */
  readonly reaches: Int32Array
  /** The number was at most this at some moment after the operation was invoked; `never` says nothing. */
  readonly atMost: Int32Array
}

/** Why there is no way to grow. */
export interface Stunted {
  /** `passed`: the number must be past what `operation` still saw. `short`: it cannot get as far as `operation` saw. */
  readonly rule: 'passed' | 'short'
  readonly operation: number
  /** The rank at which it shows. */
  readonly at: number
  /** How far the number had grown by then. */
  readonly reached: number
}

/**
 * Lets the number grow as late as possible, taking the adds that complete first; null when that works.
 *
 * The lazy schedule grows only when the completion of an add or of an observation forces every schedule to have grown
 * as far, and it spends the most urgent adds first. So at any moment its number is the smallest of all schedules, and it
 * has the most adds left for any deadline: where it fails, every other fails. Adds of unknown outcome are never forced
 * and spent last. Adds that are known to leave a number keep that place. O(n log n).
 */
export function grow(part: Part, { adds, leaves, reaches, atMost }: Growth): Stunted | null {
  const { count, invoke, complete } = part
  const timeline = timelineOf(part)
  const done = new Uint8Array(count)
  const open = new Deadlines(complete)
  const owner = ownersOf(leaves)
  let optional = 0
  let number = 0

  /** The next number's own add, when it is known; it may not have been invoked yet. */
  const ownerOfNext = () => (number + 1 < owner.length ? owner[number + 1]! - 1 : -1)

  for (let at = 0; at < timeline.length; at += 1) {
    const event = timeline[at]!
    if (event > 0) {
      const i = event - 1
      if (number > atMost[i]!) return { rule: 'passed', operation: i, at, reached: number }
      if (adds[i] === 1 && leaves[i] === 0) {
        if (complete[i] === never) optional += 1
        else open.add(i)
      }
      continue
    }
    const i = -event - 1
    // How far it has to be now. An add with no place of its own takes the first that is free.
    let goal = reaches[i]!
    if (adds[i] === 1 && done[i] === 0) goal = leaves[i] === 0 ? never : Math.max(goal, leaves[i]!)
    while (number < goal) {
      const own = ownerOfNext()
      if (own >= 0) {
        if (invoke[own]! > at) return { rule: 'passed', operation: own, at, reached: number + 1 }
        done[own] = 1
      } else if (!open.isEmpty) {
        const next = open.take()
        done[next] = 1
        if (next === i) goal = reaches[i]!
      } else if (optional > 0) {
        optional -= 1
      } else {
        return { rule: 'short', operation: i, at, reached: number }
      }
      number += 1
    }
  }
  return null
}

/** For each number the add that leaves it, counted from 1; 0 where that is not known. */
function ownersOf(leaves: Int32Array): Int32Array {
  let largest = 0
  for (const number of leaves) if (number > largest) largest = number
  const owner = new Int32Array(largest + 1)
  if (largest > 0) leaves.forEach((number, i) => number > 0 && (owner[number] = i + 1))
  return owner
}
