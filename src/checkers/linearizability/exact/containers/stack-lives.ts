import { never, none, type Part } from '../../part.js'
import type { Elements } from './elements.js'

/** Elements that are certainly in a stack for a while, each with the ranks of its push and its pop. */
export interface StackLives {
  readonly elements: Int32Array
  readonly pushInvoke: Int32Array
  readonly pushComplete: Int32Array
  readonly popInvoke: Int32Array
  readonly popComplete: Int32Array
  /** Ranks are below this. */
  readonly ranks: number
}

/**
 * The elements whose push had returned when their pop began: any other can be pushed and popped at one moment. One that
 * no pop returned is popped, together with all such, some time from `leavesAt` on.
 */
export function stackLivesOf(part: Part, of: Elements, leavesAt: Int32Array): StackLives {
  const certain: number[] = []
  const popBegins = (element: number) =>
    of.take[element] === none ? (leavesAt[element] as number) : (of.takeInvoke[element] as number)
  for (let element = 0; element < of.count; element += 1) {
    const there = (of.putComplete[element] as number) < popBegins(element)
    if (there && of.putComplete[element] !== never) certain.push(element)
  }
  const end = part.events + 1
  return {
    elements: Int32Array.from(certain),
    pushInvoke: Int32Array.from(certain, (element) => of.putInvoke[element] as number),
    pushComplete: Int32Array.from(certain, (element) => of.putComplete[element] as number),
    popInvoke: Int32Array.from(certain, popBegins),
    popComplete: Int32Array.from(certain, (element) => Math.min(end, of.takeComplete[element] as number)),
    ranks: end + 1,
  }
}

/** Those at the given places, with ranks as small as can be; equal ranks stay equal. */
export function someOf(lives: StackLives, places: readonly number[]): StackLives {
  const columns = [lives.pushInvoke, lives.pushComplete, lives.popInvoke, lives.popComplete]
  const chosen = columns.map((column) => Int32Array.from(places, (place) => column[place] as number))
  const all = Int32Array.from(chosen.flatMap((column) => [...column])).sort()
  const distinct = all.filter((rank, index) => index === 0 || rank !== all[index - 1])
  const smaller = (column: Int32Array) => column.map((rank) => placeIn(distinct, rank))
  const [pushInvoke, pushComplete, popInvoke, popComplete] = chosen.map(smaller) as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ]
  const elements = Int32Array.from(places, (place) => lives.elements[place] as number)
  return { elements, pushInvoke, pushComplete, popInvoke, popComplete, ranks: distinct.length }
}

function placeIn(sorted: Int32Array, rank: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as number) < rank) low = middle + 1
    else high = middle
  }
  return low
}
