import {
  growSetKind,
  never,
  none,
  type Decision,
  type ExactChecker,
  type Part,
  type Violation,
} from '../../part.js'
import { inOrder } from '../in-order.js'
import { chainOf, elementsOf, type Chain } from './read-chain.js'

/**
 * Sets that only grow and whose reads return all elements: the reads must form a chain, each containing the one
 * before; the first read that has an element places its add. The order so given is held against real time. Exact, also
 * with adds of unknown outcome. O(size of the reads).
 */
export const growSetChecker: ExactChecker = {
  name: 'grow-only set chain',
  object: 'grow-set',
  preconditions: 'every element is added once',
  decide(part) {
    const addOf = new Int32Array(part.values).fill(none)
    for (let i = 0; i < part.count; i += 1) {
      if (part.kind[i] !== growSetKind.add) continue
      if (addOf[part.a[i]!] !== none)
        return { valid: 'unknown', reason: 'an element was added more than once' }
      addOf[part.a[i]!] = i
    }
    const chain = chainOf(part, addOf)
    if ('type' in chain) return { valid: false, violation: chain }
    return againstRealTime(part, { chain, addOf })
  },
}

/**
 * The order is: the adds of level 1, the reads of level 1, the adds of level 2, and so on; level 0 are reads of the
 * empty set. Within a group everything can be at one moment. So it works unless some operation had returned before one
 * of an earlier group began.
 */
function againstRealTime(part: Part, { chain, addOf }: { chain: Chain; addOf: Int32Array }): Decision {
  const { count, kind, a, invoke, complete } = part
  // Group 2l are the adds of level l, 2l + 1 its reads.
  const groupOf = new Int32Array(count)
  const groups = 2 * chain.levels + 4
  const starts = new Int32Array(groups + 1)
  for (let i = 0; i < count; i += 1) {
    let group = none
    if (kind[i] === growSetKind.read) group = 2 * chain.levelOfRead[i]! + 1
    else if (chain.levelOf[a[i]!] !== none) group = 2 * chain.levelOf[a[i]!]!
    else if (complete[i] !== never) group = 2 * (chain.levels + 1)
    groupOf[i] = group
    if (group !== none) starts[group + 1]! += 1
  }
  for (let group = 0; group < groups; group += 1) starts[group + 1]! += starts[group]!
  const next = starts.slice()
  const ordered = new Int32Array(starts[groups]!)
  for (let i = 0; i < count; i += 1) {
    const group = groupOf[i]!
    if (group === none) continue
    ordered[next[group]!] = i
    next[group]! += 1
  }

  let latest = none
  for (let group = 0; group < groups; group += 1) {
    const before = latest
    for (let at = starts[group]!; at < starts[group + 1]!; at += 1) {
      const i = ordered[at]!
      if (before !== none && complete[i]! < invoke[before]!) {
        return { valid: false, violation: disorder(part, { early: i, late: before, chain, addOf }) }
      }
      if (latest === none || invoke[i]! > invoke[latest]!) latest = i
    }
  }
  return { valid: true }
}

/** `early` had returned before `late` began, and must come after it. */
function disorder(
  part: Part,
  { early, late, chain, addOf }: { early: number; late: number; chain: Chain; addOf: Int32Array },
): Violation {
  const isRead = (i: number) => part.kind[i] === growSetKind.read
  if (isRead(late) && isRead(early)) {
    const present = new Set(elementsOf(part, late))
    const has = elementsOf(part, early).find((element) => !present.has(element)) ?? 0
    return {
      type: 'lost-element',
      operations: inOrder(part, [early, late, addOf[has]!]),
      explain: ({ tell, value }) =>
        `${tell(early)} had seen ${value(has)} and returned before ${tell(late)} began, which did not see it; nothing is ever removed.`,
    }
  }
  if (isRead(late)) {
    const missing = firstReadWithout(part, { add: early, chain }) ?? late
    return {
      type: 'lost-element',
      operations: inOrder(part, [early, missing]),
      explain: ({ tell }) =>
        `${tell(early)} had returned before ${tell(missing)} began, which did not see that element.`,
    }
  }
  if (isRead(early)) {
    return {
      type: 'element-from-the-future',
      operations: inOrder(part, [early, late]),
      explain: ({ tell }) =>
        `${tell(early)} saw an element and returned before ${tell(late)} began, which alone adds it.`,
    }
  }
  const between = chain.readOfLevel[chain.levelOf[part.a[late]!]!]!
  return {
    type: 'lost-element',
    operations: inOrder(part, [early, late, between]),
    explain: ({ tell }) =>
      `${tell(early)} had returned before ${tell(late)} began; ${tell(between)} saw the element of the later add and not of the earlier.`,
  }
}

/** The first read that began after the add had returned, and lacks its element. */
function firstReadWithout(
  { count, kind, a, invoke, complete }: Part,
  { add, chain }: { add: number; chain: Chain },
): number | null {
  const level = chain.levelOf[a[add]!]!
  let first: number | null = null
  for (let i = 0; i < count; i += 1) {
    if (kind[i] !== growSetKind.read || invoke[i]! < complete[add]!) continue
    if (level !== none && chain.levelOfRead[i]! >= level) continue
    if (first === null || invoke[i]! < invoke[first]!) first = i
  }
  return first
}
