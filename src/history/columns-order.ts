const digits = 1 << 16
const digitsPerTime = 4
const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1

/** Moves for each item beyond which a history is not nearly in order. */
const movesEach = 64

/**
 * The indexes of `times` (not negative) in ascending order of time; equal ones stay in order.
 *
 * Recorders write down operations nearly in order, so each is first looked for a few places back. Where that is not
 * enough a radix sort makes a million a matter of milliseconds whatever their order.
 */
export function orderOf(times: Float64Array): Int32Array {
  const order = new Int32Array(times.length)
  if (!isInsertedInOrder(times, order)) sortByDigits(times, order)
  return order
}

function isInsertedInOrder(times: Float64Array, order: Int32Array): boolean {
  let left = movesEach * times.length
  let latest = -1
  for (let index = 0; index < times.length; index += 1) {
    const time = times[index] as number
    if (time >= latest) {
      order[index] = index
      latest = time
      continue
    }
    let place = index
    while (place > 0 && (times[order[place - 1] as number] as number) > time) {
      order[place] = order[place - 1] as number
      place -= 1
    }
    order[place] = index
    left -= index - place
    if (left < 0) return false
  }
  return true
}

/** Numbers that are not negative are ordered as their bits are. */
function sortByDigits(times: Float64Array, order: Int32Array): void {
  const bits = new Uint16Array(Float64Array.from(times).buffer)
  let from = order
  let to = new Int32Array(order.length)
  for (let index = 0; index < from.length; index += 1) from[index] = index
  for (let digit = 0; digit < digitsPerTime; digit += 1) {
    const place = isLittleEndian ? digit : digitsPerTime - 1 - digit
    sortByDigit(bits, place, { from, to })
    ;[from, to] = [to, from] as [typeof from, typeof to]
  }
}

function sortByDigit(bits: Uint16Array, digit: number, { from, to }: { from: Int32Array; to: Int32Array }) {
  const starts = new Int32Array(digits + 1)
  for (let at = digit; at < bits.length; at += digitsPerTime) {
    const next = (bits[at] as number) + 1
    starts[next] = (starts[next] as number) + 1
  }
  for (let value = 0; value < digits; value += 1) {
    starts[value + 1] = (starts[value + 1] as number) + (starts[value] as number)
  }
  for (let at = 0; at < from.length; at += 1) {
    const index = from[at] as number
    const value = bits[index * digitsPerTime + digit] as number
    const place = starts[value] as number
    starts[value] = place + 1
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
    const next = answer < returns.length ? (returns[answer] as number) : -1
    const isCall =
      call < invoked.length && (next < 0 || (invoked[call] as number) <= (completed[next] as number))
    if (isCall) {
      call += 1
      events[event] = call
    } else {
      answer += 1
      events[event] = -(next + 1)
    }
  }
  return events
}
