import { logKind, never, none, type Part, type Violation } from '../../part.js'
import { inOrder } from '../in-order.js'

/** Where the entries of a log stand, as its appends and reads tell. */
export interface Positions {
  /** For each value the operation that appended it, or `none`. */
  readonly appendOf: Int32Array
  /** For each value its offset, or `none`. */
  readonly offsetOf: Int32Array
  /** For each value the operation that told its offset, or `none`. */
  readonly toldBy: Int32Array
  /** For each offset below `known` its value, or `none` where nobody told. */
  readonly valueAt: Int32Array
  /** Every offset below is certainly filled at some time. */
  readonly known: number
  /** Appends that completed and whose offset nobody told. */
  readonly unplaced: readonly number[]
  readonly hasHoles: boolean
}

/** Collects the offsets. A violation when the answers disagree; a reason when an entry was appended twice. */
export function positionsOf(part: Part): Positions | Violation | string {
  const { count, kind, a, b, complete, values } = part
  const appendOf = new Int32Array(values).fill(none)
  let appends = 0
  for (let i = 0; i < count; i += 1) {
    if (kind[i] !== logKind.append) continue
    appends += 1
    if (appendOf[a[i]!] !== none) return 'an entry was appended more than once'
    appendOf[a[i]!] = i
  }

  const offsetOf = new Int32Array(values).fill(none)
  const toldBy = new Int32Array(values).fill(none)
  const valueAt = new Int32Array(appends).fill(none)
  let known = 0
  const filled = (end: number, operation: number): Violation | null => {
    if (end > appends) return tooLong(operation)
    known = Math.max(known, end)
    return null
  }
  const place = (value: number, offset: number, operation: number): Violation | null => {
    if (appendOf[value] === none) return phantom(operation, value)
    const long = filled(offset + 1, operation)
    if (long !== null) return long
    if (offsetOf[value] === offset) return null
    const before = valueAt[offset]!
    if (offsetOf[value] !== none || before !== none) {
      const other = toldBy[offsetOf[value] === none ? before : value]!
      const twice = offsetOf[value] === none ? [value, before] : [value]
      return disagreement(part, [operation, other, ...twice.map((one) => appendOf[one]!)], operation, other)
    }
    offsetOf[value] = offset
    toldBy[value] = operation
    valueAt[offset] = value
    return null
  }

  for (let i = 0; i < count; i += 1) {
    if (complete[i] === never) continue
    const offset = b[i]!
    let wrong: Violation | null = null
    switch (kind[i]!) {
      case logKind.append:
        if (offset !== none) wrong = place(a[i]!, offset, i)
        break
      case logKind.at:
        if (a[i] !== none) wrong = place(a[i]!, offset, i)
        break
      case logKind.tail:
        wrong = filled(offset, i)
        break
      default: {
        const start = part.lists?.starts[i] ?? 0
        const end = part.lists?.starts[i + 1] ?? 0
        const first = kind[i] === logKind.slice ? offset : 0
        for (let at = start; at < end && wrong === null; at += 1) {
          wrong = place(part.lists!.elements[at]!, first + at - start, i)
        }
      }
    }
    if (wrong !== null) return wrong
  }

  const unplaced: number[] = []
  let placed = 0
  for (let i = 0; i < count; i += 1) {
    if (kind[i] !== logKind.append) continue
    if (offsetOf[a[i]!] !== none) placed += 1
    else if (complete[i] !== never) unplaced.push(i)
  }
  return { appendOf, offsetOf, toldBy, valueAt, known, unplaced, hasHoles: placed < known }
}

/** The operations in order, with those that tell the offsets of the appends among them. */
export function withTellers(
  part: Part,
  { of, toldBy }: { of: readonly number[]; toldBy: Int32Array },
): number[] {
  const tellers = of
    .filter((i) => part.kind[i] === logKind.append && toldBy[part.a[i]!] !== none)
    .map((i) => toldBy[part.a[i]!]!)
  return inOrder(part, [...of, ...tellers])
}

function phantom(operation: number, value: number): Violation {
  return {
    type: 'phantom-entry',
    operations: [operation],
    explain: (words) => `${words.tell(operation)} saw ${words.value(value)}, which nobody appended.`,
  }
}

function tooLong(operation: number): Violation {
  return {
    type: 'phantom-entry',
    operations: [operation],
    explain: ({ tell }) => `${tell(operation)} needs a longer log than all appends of the history give.`,
  }
}

function disagreement(part: Part, involved: readonly number[], one: number, other: number): Violation {
  return {
    type: 'conflicting-offsets',
    operations: inOrder(part, involved),
    explain: ({ tell }) =>
      one === other
        ? `${tell(one)} has one entry at two offsets.`
        : `${tell(one)} and ${tell(other)} disagree about what stands where; a log never changes an entry.`,
  }
}
