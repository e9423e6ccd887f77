import { never, none, registerKind } from '../../part.js'
import { tookEffect } from './chain-index.js'
import type { Chains } from './chains.js'
import { reusable } from './scratch.js'

const firstMemory = reusable()
const firstOfMemory = reusable()
const secondMemory = reusable()
const byCasMemory = reusable()

/**
 * Tells, for a value, the rank before which nothing else can have taken its place.
 *
 * What can come after a chain is another one of which nothing returned before the last invocation of the chain; it does
 * not begin before its first write is invoked. A running minimum over first returns, from the last one
 * backwards, answers that at once; the two smallest are kept so that a chain is not taken for its own successor.
 * Linear.
 */
export function earliestSuccessor(chains: Chains): (value: number) => number {
  const { part, limit, root, writer, next, chainOf, firstReturn, lastInvoke } = chains
  const { events, invoke } = part
  const first = firstMemory(events + 1, never)
  const firstOf = firstOfMemory(events + 1, none)
  const second = secondMemory(events + 1, never)
  const enter = (at: number, { chain, began }: { chain: number; began: number }) => {
    if (chain === firstOf[at] || began >= (second[at] as number)) return
    if (began < (first[at] as number)) {
      second[at] = first[at] as number
      first[at] = began
      firstOf[at] = chain
    } else {
      second[at] = began
    }
  }
  for (let chain = 0; chain < root.length; chain += 1) {
    const source = writer[root[chain] as number] as number
    if (source === none) continue
    enter(Math.min(firstReturn[chain] as number, events), { chain, began: invoke[source] as number })
  }
  for (let at = events - 1; at >= 0; at -= 1) {
    if (firstOf[at + 1] !== none) {
      enter(at, { chain: firstOf[at + 1] as number, began: first[at + 1] as number })
      enter(at, { chain: none, began: second[at + 1] as number })
    }
  }

  /** By value, the first invocation of a CAS that may have replaced it. */
  const byCas = byCasMemory(part.values, never)
  for (let operation = 0; operation < part.count; operation += 1) {
    if (part.kind[operation] !== registerKind.cas) continue
    const began = invoke[operation] as number
    const expected = part.a[operation] as number
    if (began > limit || (next[expected] !== none && !tookEffect(chains, operation))) continue
    byCas[expected] = Math.min(byCas[expected] as number, began)
  }

  return (value) => {
    if (next[value] !== none) return byCas[value] as number
    const chain = chainOf[value] as number
    const at = (lastInvoke[chain] as number) + 1
    const other = firstOf[at] === chain ? second[at] : first[at]
    return Math.min(other as number, byCas[value] as number)
  }
}
