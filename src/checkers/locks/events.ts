import type { Operation } from '../../history/operation.js'

/**
 * Everything that happens in a history in order of time: `index + 1` for an invocation and `-(index + 1)` for an answer;
 * operations of unknown outcome have no answer. At equal times invocations come first, so that operations that touch are
 * concurrent. O(n log n).
 */
export function eventsInOrder(operations: readonly Operation[]): Int32Array {
  const invoked = Float64Array.from(operations, ({ invoke_ts: at }) => at)
  const answered = Float64Array.from(operations, ({ complete_ts: at }) => at ?? Infinity)
  const calls = inOrderOf(invoked)
  const answers = inOrderOf(answered)
  const last = operations.reduce((count, { complete_ts: at }) => count + (at === null ? 0 : 1), 0)
  const events = new Int32Array(calls.length + last)
  let call = 0
  for (let answer = 0; answer < last; answer += 1) {
    const returned = answers[answer]!
    while (call < calls.length && invoked[calls[call]!]! <= answered[returned]!) {
      events[call + answer] = calls[call]! + 1
      call += 1
    }
    events[call + answer] = -(returned + 1)
  }
  for (; call < calls.length; call += 1) events[call + last] = calls[call]! + 1
  return events
}

/** The indices in order of their times; those of equal times as they stand. */
function inOrderOf(times: Float64Array): Int32Array {
  const order = Int32Array.from(times, (_, index) => index)
  const isOrdered = times.every((time, index) => index === 0 || times[index - 1]! <= time)
  return isOrdered ? order : order.sort((a, b) => compare(times[a]!, times[b]!) || a - b)
}

/** Infinite times are equal, which their difference does not tell. */
function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0
}
