import { RangeTree } from './range-tree.js'
import type { StackLives } from './stack-lives.js'

/** Places of two elements, the lower of which was popped while the upper one was on top of it. */
export interface Crossing {
  readonly lower: number
  readonly upper: number
}

/**
 * Two elements that no stack allows: the lower was pushed wholly before the upper, which was pushed wholly before the
 * pop of the lower began, which returned before the pop of the upper began. Null when there are no such two.
 * O(n log n): sweeps over the pushes, and keeps for every rank the earliest return of a pop that began there.
 */
export function crossingOf(lives: StackLives): Crossing | null {
  const { pushInvoke, pushComplete, popInvoke, popComplete, ranks } = lives
  const pushes = new Int32Array(ranks)
  for (let place = 0; place < pushInvoke.length; place += 1) {
    pushes[pushInvoke[place] as number] = place + 1
    pushes[pushComplete[place] as number] = -place - 1
  }
  const earliest = new Int32Array(ranks).fill(ranks)
  const tree = new RangeTree(earliest)
  for (const event of pushes) {
    if (event < 0) {
      const place = -event - 1
      const begins = popInvoke[place] as number
      const difference = (popComplete[place] as number) - (earliest[begins] as number)
      if (difference >= 0) continue
      tree.add(begins, begins + 1, difference)
      earliest[begins] = popComplete[place] as number
    } else if (event > 0) {
      const upper = event - 1
      const popped = popInvoke[upper] as number
      if (tree.leastOf((pushComplete[upper] as number) + 1, ranks) >= popped) continue
      const lower = pushInvoke.findIndex(
        (_, place) =>
          (pushComplete[place] as number) < (pushInvoke[upper] as number) &&
          (popInvoke[place] as number) > (pushComplete[upper] as number) &&
          (popComplete[place] as number) < popped,
      )
      return { lower, upper }
    }
  }
  return null
}
