import { counterKind, never, type Decision, type Part } from '../../part.js'
import { inOrder } from '../in-order.js'
import { timelineOf } from '../timeline.js'

const reason = 'the adds of the counter differ in amount, and some were under way during a read'

/**
 * Counters whose adds differ: a read below or above what any choice of the adds under way can give is a violation;
 * reads during which no add was under way are decided; of the others it cannot tell. O(n).
 */
export function refuteByBounds(part: Part): Decision {
  const { count, kind, a, complete } = part
  const timeline = timelineOf(part)
  // What has certainly been added when a read begins, and what may have been on top of that when it returns.
  const certain = new Float64Array(count)
  let returned = 0
  let returnedUp = 0
  let returnedDown = 0
  let begunUp = 0
  let begunDown = 0
  const up = new Float64Array(count)
  const down = new Float64Array(count)
  let decided = true

  for (const event of timeline) {
    const i = Math.abs(event) - 1
    const amount = a[i]!
    if (kind[i] !== counterKind.read) {
      if (event > 0) {
        if (amount > 0) begunUp += amount
        else begunDown += amount
      } else {
        returned += amount
        if (amount > 0) returnedUp += amount
        else returnedDown += amount
      }
      if (kind[i] === counterKind.addAndGet) decided = false
      continue
    }
    if (complete[i] === never) continue
    if (event > 0) {
      certain[i] = returned
      up[i] = returnedUp
      down[i] = returnedDown
      continue
    }
    const most = certain[i]! + begunUp - up[i]!
    const least = certain[i]! + begunDown - down[i]!
    if (amount > most || amount < least) return outOfBounds(part, i, amount > most)
    if (most !== least) decided = false
  }
  return decided ? { valid: true } : { valid: 'unknown', reason }
}

function outOfBounds(part: Part, read: number, isAbove: boolean): Decision {
  const { count, kind, a, invoke, complete } = part
  const operations = [read]
  for (let i = 0; i < count; i += 1) {
    if (kind[i] === counterKind.read) continue
    const returned = complete[i]! < invoke[read]!
    const mayCount = a[i]! > 0 === isAbove && invoke[i]! < complete[read]!
    if (returned || mayCount) operations.push(i)
  }
  const side = isAbove ? 'more' : 'less'
  return {
    valid: false,
    violation: {
      type: 'impossible-count',
      operations: inOrder(part, operations),
      explain: ({ tell }) =>
        `${tell(read)} saw ${side} than any choice of the adds that were under way gives, with all those that had returned.`,
    },
  }
}
