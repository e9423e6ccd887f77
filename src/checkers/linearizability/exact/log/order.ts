import { logKind, never, none, type Part, type Violation } from '../../part.js'
import { withTellers, type Positions } from './positions.js'

/**
 * The order of the entries against real time: bounds on the moment at which each offset was filled. A violation when
 * some entry must have been there before one that stands in front of it could be.
 *
 * The moments grow with the offset, so a lower bound holds for all later offsets and an upper bound for all earlier
 * ones. Where the whole order is known, bounds that leave room everywhere are enough: put every append at the first
 * moment that they allow.
 */
export function findDisorder(part: Part, { offsetOf, known, toldBy }: Positions): Violation | null {
  const { count, kind, a, b, invoke, complete } = part
  // One more for the first offset that nobody told of.
  const from = new Int32Array(known + 1).fill(none)
  const until = new Int32Array(known + 1).fill(none)
  const notBefore = (offset: number, i: number) => {
    if (offset <= known && (from[offset] === none || invoke[i]! > invoke[from[offset]!]!)) from[offset] = i
  }
  const notAfter = (offset: number, i: number) => {
    if (complete[i] === never || offset < 0 || offset > known) return
    if (until[offset] === none || complete[i]! < complete[until[offset]!]!) until[offset] = i
  }

  for (let i = 0; i < count; i += 1) {
    const offset = b[i]!
    switch (kind[i]!) {
      case logKind.append: {
        const own = offsetOf[a[i]!]!
        if (own !== none) notBefore(own, i)
        if (own !== none) notAfter(own, i)
        break
      }
      case logKind.at:
        if (a[i] === none) notBefore(offset, i)
        else notAfter(offset, i)
        break
      case logKind.tail:
        notBefore(offset, i)
        notAfter(offset - 1, i)
        break
      default: {
        const length = part.lists === null ? 0 : part.lists.starts[i + 1]! - part.lists.starts[i]!
        if (kind[i] === logKind.list) notBefore(length, i)
        if (length > 0) notAfter((kind[i] === logKind.slice ? offset : 0) + length - 1, i)
      }
    }
  }

  // The operation that must be over first, among those about this offset or a later one.
  for (let offset = known - 1; offset >= 0; offset -= 1) {
    const here = until[offset]!
    const later = until[offset + 1]!
    if (later !== none && (here === none || complete[later]! < complete[here]!)) until[offset] = later
  }
  let begins = none
  for (let offset = 0; offset <= known; offset += 1) {
    const here = from[offset]!
    if (here !== none && (begins === none || invoke[here]! > invoke[begins]!)) begins = here
    const ends = until[offset]!
    if (begins !== none && ends !== none && invoke[begins]! > complete[ends]!) {
      const operations = withTellers(part, { of: [ends, begins], toldBy })
      return disorder(part, { operations, ends, begins })
    }
  }
  return null
}

function disorder(
  part: Part,
  { operations, ends, begins }: { operations: readonly number[]; ends: number; begins: number },
): Violation {
  const isAppend = (i: number) => part.kind[i] === logKind.append
  return {
    type: isAppend(begins) ? 'misplaced-entry' : isAppend(ends) ? 'lost-entry' : 'stale-read',
    operations,
    explain: ({ tell }) =>
      isAppend(begins)
        ? `${tell(ends)} had returned before ${tell(begins)} began, whose entry stands at or before what that needs in the log.`
        : `${tell(ends)} had returned before ${tell(begins)} began, which met a log too short for that.`,
  }
}
