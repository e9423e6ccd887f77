import { RangeTree } from './range-tree.js'
import { ReturnTree } from './return-tree.js'
import type { StackLives } from './stack-lives.js'

/**
 * The places of the elements that cannot be accounted for; none when the stack is in order. O(n log n).
 *
 * Where nothing is certainly there, the stack may be empty, and every push and pop that may happen at that moment can
 * happen next to the bottom, out of the way of all others. So these are taken away; an element that lost both its push
 * and its pop no longer covers anything, which uncovers more moments. An order exists exactly when nothing is left.
 */
export function unpeeled(lives: StackLives): number[] {
  const { pushComplete, popInvoke, popComplete } = lives
  const count = lives.elements.length
  const { starts, stretchAt } = stretchesOf(lives)
  const cover = new RangeTree(coverOf(lives, { stretchAt, stretches: starts.length - 1 }))
  const { order, begun } = inOrderOfInvocation(lives)
  const returns = new ReturnTree(
    order.map((half) => ((half & 1) === 0 ? pushComplete : popComplete)[half >> 1] as number),
  )
  const halvesLeft = new Uint8Array(count).fill(2)
  let left = order.length
  while (left > 0 && cover.least === 0) {
    const stretch = cover.placeOfLeast()
    cover.add(stretch, stretch + 1, 2 * count + 1)
    const start = starts[stretch] as number
    const last = (starts[stretch + 1] as number) - 1
    for (;;) {
      const position = returns.firstAfter(start)
      if (position < 0 || position >= (begun[last] as number)) break
      returns.remove(position)
      left -= 1
      const place = (order[position] as number) >> 1
      halvesLeft[place] = (halvesLeft[place] as number) - 1
      if (halvesLeft[place] !== 0) continue
      cover.add(
        stretchAt[pushComplete[place] as number] as number,
        stretchAt[popInvoke[place] as number] as number,
        -1,
      )
    }
  }
  return left === 0 ? [] : [...halvesLeft.keys()].filter((place) => halvesLeft[place] !== 0)
}

/** Stretches of gaps between which no element begins or ceases to be certainly there. */
function stretchesOf({ pushComplete, popInvoke, ranks }: StackLives): {
  starts: Int32Array
  stretchAt: Int32Array
} {
  const marks = new Uint8Array(ranks)
  marks[0] = 1
  for (const rank of pushComplete) marks[rank] = 1
  for (const rank of popInvoke) marks[rank] = 1
  const starts = new Int32Array(ranks + 1)
  const stretchAt = new Int32Array(ranks)
  let stretches = 0
  for (let rank = 0; rank < ranks; rank += 1) {
    if (marks[rank] === 1) {
      starts[stretches] = rank
      stretches += 1
    }
    stretchAt[rank] = stretches - 1
  }
  starts[stretches] = ranks
  return { starts: starts.subarray(0, stretches + 1), stretchAt }
}

/** By stretch: how many elements are certainly there. */
function coverOf(
  { pushComplete, popInvoke }: StackLives,
  { stretchAt, stretches }: { stretchAt: Int32Array; stretches: number },
): Int32Array {
  const cover = new Int32Array(stretches + 1)
  for (let place = 0; place < pushComplete.length; place += 1) {
    const from = stretchAt[pushComplete[place] as number] as number
    const to = stretchAt[popInvoke[place] as number] as number
    cover[from] = (cover[from] as number) + 1
    cover[to] = (cover[to] as number) - 1
  }
  for (let stretch = 1; stretch <= stretches; stretch += 1) {
    cover[stretch] = (cover[stretch] as number) + (cover[stretch - 1] as number)
  }
  return cover.subarray(0, stretches)
}

/**
 * Pushes (twice the place) and pops (one more) in order of invocation, and by rank how many have begun with it.
 * A counting sort: pops that are not known share a rank.
 */
function inOrderOfInvocation({ pushInvoke, popInvoke, ranks }: StackLives): {
  order: Int32Array
  begun: Int32Array
} {
  const begun = new Int32Array(ranks)
  for (const invoke of [pushInvoke, popInvoke]) {
    for (const rank of invoke) begun[rank] = (begun[rank] as number) + 1
  }
  const next = new Int32Array(ranks)
  let before = 0
  for (let rank = 0; rank < ranks; rank += 1) {
    next[rank] = before
    before += begun[rank] as number
    begun[rank] = before
  }
  const order = new Int32Array(before)
  const put = (half: number, rank: number) => {
    order[next[rank] as number] = half
    next[rank] = (next[rank] as number) + 1
  }
  for (let place = 0; place < pushInvoke.length; place += 1) {
    put(2 * place, pushInvoke[place] as number)
    put(2 * place + 1, popInvoke[place] as number)
  }
  return { order, begun }
}
