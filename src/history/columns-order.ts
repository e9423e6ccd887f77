const digitBits = 16
const digits = 1 << digitBits
/** Below this many a comparing sort is quicker than a pass over all digits. */
const fewEnoughToCompare = 4_096

/**
 * The indexes of `times` (whole, not negative, below 2^53) in ascending order of time; equal ones stay in order.
 * A radix sort, so that a million is a matter of milliseconds whatever their order; none when they are in order.
 */
export function orderOf(times: Float64Array): Int32Array {
  let order = new Int32Array(times.length)
  for (let index = 0; index < order.length; index += 1) order[index] = index
  if (isAscending(times)) return order
  if (times.length < fewEnoughToCompare) {
    return order.sort((a, b) => (times[a] as number) - (times[b] as number) || a - b)
  }
  let other = new Int32Array(times.length)
  const latest = times.reduce((most, time) => Math.max(most, time), 0)
  for (let unit = 1; unit <= latest; unit *= digits) {
    sortByDigit(times, unit, { from: order, to: other })
    ;[order, other] = [other, order]
  }
  return order
}

function isAscending(times: Float64Array): boolean {
  for (let index = 1; index < times.length; index += 1) {
    if ((times[index - 1] as number) > (times[index] as number)) return false
  }
  return true
}

function sortByDigit(times: Float64Array, unit: number, { from, to }: { from: Int32Array; to: Int32Array }) {
  const digitOf = (index: number) => Math.floor((times[index] as number) / unit) % digits
  const starts = new Int32Array(digits + 1)
  for (let index = 0; index < times.length; index += 1) {
    const digit = digitOf(index)
    starts[digit + 1] = (starts[digit + 1] as number) + 1
  }
  for (let digit = 0; digit < digits; digit += 1) {
    starts[digit + 1] = (starts[digit + 1] as number) + (starts[digit] as number)
  }
  for (const index of from) {
    const digit = digitOf(index)
    const place = starts[digit] as number
    starts[digit] = place + 1
    to[place] = index
  }
}

/**
 * Merges invocations and returns into one order of events. `invoked` is ascending; `returns` are indexes in ascending
 * order of `completed`. At equal times calls come first.
 */
export function mergeEvents(invoked: Float64Array, completed: Float64Array, returns: Int32Array): Int32Array {
  const events = new Int32Array(invoked.length + returns.length)
  let call = 0
  let answer = 0
  for (let event = 0; event < events.length; event += 1) {
    const next = returns[answer]
    const isCall =
      call < invoked.length &&
      (next === undefined || (invoked[call] as number) <= (completed[next] as number))
    if (isCall) {
      call += 1
      events[event] = call
    } else {
      answer += 1
      events[event] = -((next as number) + 1)
    }
  }
  return events
}
