import { never, none } from '../../part.js'
import type { Chains } from './chains.js'
import { reusable } from './scratch.js'
import { SmallestFirst } from './smallest-first.js'

/** How many chains are passed over in search of one that may come early. */
const mostPassedOver = 8

const coreMemory = reusable()
const movableMemory = reusable()
const orderMemory = reusable()

/** By value, the first of the refused CAS that expected it; by operation, the next. */
export interface Refusals {
  readonly first: Int32Array
  readonly next: Int32Array
}

/**
 * An order of the values that respects the order of all blocks, made with an eye to refused CAS.
 *
 * Chains with a core, from the first return to the last invocation, come in the order of their cores, which do not meet.
 * Every other chain may come at any point between its last invocation and its first return that no core covers: it is
 * put as late as that allows, the most urgent first, but earlier when a refused CAS needs the value before to end. Unknown
 * writes that nobody saw are left out.
 */
export function witnessOrder(chains: Chains, refusals: Refusals): Int32Array {
  const { part, root, next, firstReturn, lastInvoke } = chains
  const cores = inOrderOf(
    firstReturn,
    coreMemory(root.length, 0),
    (chain) => isCore(chains, chain),
    part.events,
  )
  const movable = inOrderOf(
    lastInvoke,
    movableMemory(root.length, 0),
    (chain) => !isCore(chains, chain) && firstReturn[chain] !== never,
    part.events,
  )
  const order = orderMemory(part.values, none)
  let length = 0
  let lastValue = none
  const put = (chain: number) => {
    for (let value = root[chain] as number; value !== none; value = next[value] as number) {
      order[length] = value
      length += 1
      lastValue = value
    }
  }

  const waiting = new SmallestFirst(firstReturn)
  let arrived = 0
  for (let gap = 0; gap <= cores.length; gap += 1) {
    if (gap > 0) put(cores[gap - 1] as number)
    const core = cores[gap]
    const opens = core === undefined ? never : (firstReturn[core] as number)
    const closes = core === undefined ? never : (lastInvoke[core] as number)
    for (; arrived < movable.length; arrived += 1) {
      const chain = movable[arrived] as number
      if ((lastInvoke[chain] as number) >= opens) break
      waiting.push(chain)
    }
    const before = length
    while (waiting.size > 0 && (firstReturn[waiting.first] as number) < closes) put(waiting.pop())
    if (length === before && waiting.size > 0 && gap > 0) {
      const deadline = endsBy(chains, { refusals, value: lastValue, opens })
      const chain = deadline === never ? none : takeInvokedBefore(waiting, lastInvoke, deadline)
      if (chain !== none) put(chain)
    }
  }
  return order.subarray(0, length)
}

/** A chain whose operations are not all concurrent, so that it covers an interval. */
function isCore({ firstReturn, lastInvoke }: Chains, chain: number): boolean {
  return (firstReturn[chain] as number) < (lastInvoke[chain] as number)
}

/** The chains that qualify, by their ranks, which are distinct; -1 comes first. */
function inOrderOf(
  rank: Int32Array,
  chains: Int32Array,
  qualifies: (chain: number) => boolean,
  events: number,
): Int32Array {
  const at = new Int32Array(events).fill(none)
  let length = 0
  for (let chain = 0; chain < rank.length; chain += 1) {
    if (!qualifies(chain)) continue
    if ((rank[chain] as number) < 0) chains[length++] = chain
    else at[rank[chain] as number] = chain
  }
  for (const chain of at) if (chain !== none) chains[length++] = chain
  return chains.subarray(0, length)
}

/** The first return of a refused CAS that the value, once it is surely there, must not outlast; `never` when none. */
function endsBy(
  { part, writer, firstRead, nextRead }: Chains,
  { refusals, value, opens }: { refusals: Refusals; value: number; opens: number },
): number {
  if (refusals.first[value] === none) return never
  const source = writer[value] as number
  let surely = source === none ? -1 : (part.complete[source] as number)
  for (let read = firstRead[value] as number; read !== none; read = nextRead[read] as number) {
    surely = Math.min(surely, part.complete[read] as number)
  }
  let deadline = never
  for (let at = refusals.first[value] as number; at !== none; at = refusals.next[at] as number) {
    const complete = part.complete[at] as number
    if ((part.invoke[at] as number) < surely || complete >= opens) continue
    deadline = Math.min(deadline, complete)
  }
  return deadline
}

/** Takes out one of the most urgent chains that is invoked wholly before the deadline; `none` when they are not. */
function takeInvokedBefore(waiting: SmallestFirst, lastInvoke: Int32Array, deadline: number): number {
  const passed: number[] = []
  let taken = none
  while (taken === none && waiting.size > 0 && passed.length < mostPassedOver) {
    const chain = waiting.pop()
    if ((lastInvoke[chain] as number) < deadline) taken = chain
    else passed.push(chain)
  }
  for (const chain of passed) waiting.push(chain)
  return taken
}
