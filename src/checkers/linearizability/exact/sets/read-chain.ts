import { growSetKind, never, none, type Part, type Violation } from '../../part.js'
import { inOrder } from '../in-order.js'

/** The reads of a set that only grows, by size: level 0 reads the empty set, each further level has new elements. */
export interface Chain {
  readonly levels: number
  /** For each element the first level that has it, or `none`. */
  readonly levelOf: Int32Array
  /** By operation. */
  readonly levelOfRead: Int32Array
  /** For each level one read of it; `none` for level 0 when no read was empty. */
  readonly readOfLevel: readonly number[]
}

/** The elements that a read saw. */
export function elementsOf({ lists }: Part, read: number): Int32Array {
  return lists === null
    ? new Int32Array(0)
    : lists.elements.subarray(lists.starts[read], lists.starts[read + 1])
}

/** Puts the reads in a chain. A violation when two of them each lack an element of the other, or one saw a phantom. */
export function chainOf(part: Part, addOf: Int32Array): Chain | Violation {
  const levelOf = new Int32Array(part.values).fill(none)
  const levelOfRead = new Int32Array(part.count)
  const readOfLevel: number[] = [none]
  const seenBy = new Int32Array(part.values).fill(none)
  let level = 0
  let size = 0
  let last = none

  for (const read of readsBySize(part)) {
    const elements = elementsOf(part, read)
    if (elements.length > size) {
      level += 1
      readOfLevel.push(read)
    } else if (level === 0) readOfLevel[0] = read
    let old = 0
    for (const element of elements) {
      if (addOf[element] === none) return phantom(read, element)
      if (seenBy[element] === read) return twice(part, { read, element, add: addOf[element]! })
      seenBy[element] = read
      if (levelOf[element] === none) levelOf[element] = level
      else if (levelOf[element]! < level || elements.length === size) old += 1
    }
    // All of the read before must be here; of one of the same size, that is all there is.
    if (old < size) return incomparable(part, { one: last, other: read, addOf })
    levelOfRead[read] = level
    size = elements.length
    last = read
  }
  return { levels: level, levelOf, levelOfRead, readOfLevel }
}

/** The completed reads in order of their size. */
function readsBySize(part: Part): number[] {
  const reads: number[] = []
  for (let i = 0; i < part.count; i += 1) {
    if (part.kind[i] === growSetKind.read && part.complete[i] !== never) reads.push(i)
  }
  const { starts } = part.lists ?? { starts: new Int32Array(part.count + 1) }
  return reads.sort((x, y) => starts[x + 1]! - starts[x]! - (starts[y + 1]! - starts[y]!))
}

function phantom(read: number, element: number): Violation {
  return {
    type: 'phantom-element',
    operations: [read],
    explain: ({ tell, value }) => `${tell(read)} saw ${value(element)}, which nobody added.`,
  }
}

function twice(
  part: Part,
  { read, element, add }: { read: number; element: number; add: number },
): Violation {
  return {
    type: 'duplicate-element',
    operations: inOrder(part, [add, read]),
    explain: ({ tell, value }) => `${tell(read)} has ${value(element)} twice; a set has it once.`,
  }
}

function incomparable(
  part: Part,
  { one, other, addOf }: { one: number; other: number; addOf: Int32Array },
): Violation {
  const lacks = (of: number, from: number) => {
    const present = new Set(elementsOf(part, from))
    return elementsOf(part, of).find((element) => !present.has(element)) ?? 0
  }
  const first = lacks(one, other)
  const second = lacks(other, one)
  return {
    type: 'incomparable-reads',
    operations: inOrder(part, [one, other, addOf[first]!, addOf[second]!]),
    explain: ({ tell, value }) =>
      `${tell(one)} saw ${value(first)} and not ${value(second)}, ${tell(other)} the other way round: whichever was added first, one of them lost it.`,
  }
}
