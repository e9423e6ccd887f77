import { never, none, registerKind } from '../../part.js'
import type { Chains } from './chains.js'
import { reusable } from './scratch.js'
import { witnessOrder, type Refusals } from './witness-order.js'

const firstRefusalMemory = reusable()
const nextRefusalMemory = reusable()
const earliestMemory = reusable()
const latestMemory = reusable()
const helperMemory = reusable()

/**
 * Whether an order of the whole history was found in which every refused CAS met another value than the expected one.
 * False proves nothing.
 *
 * For a fixed order of the values let each value begin as late as its own operations, those of later values, and the
 * refused CAS that expected the value before allow: such a CAS must have a point before its value began or after it
 * ended, so when it was invoked after the beginning the value has to end before it returns. Beginning later never
 * makes that harder for the next value, so for this order the choice is the best one. A write of unknown outcome that
 * nobody saw may end a value earlier than the next one begins, and each is used for that once.
 *
 * Moments are pairs (rank, place in the order): just before the event of that rank, and at equal ranks in the order of
 * places. So there is always room for one more, and no fraction is needed.
 */
export function hasWitness(chains: Chains): boolean {
  const { part, writer } = chains
  const refusals = refusalsOf(chains)
  const order = witnessOrder(chains, refusals)
  const { earliest, latest } = boundsOf(chains, order)
  const helpers = helpersOf(chains, refusals)
  let helped = 0
  /** The rank before which the value at hand began. */
  let began = 0
  for (let place = 1; place <= order.length; place += 1) {
    const old = order[place - 1] as number
    const demanded = demandOf(chains, { refusals, value: old, began })
    const ownLatest = place < order.length ? (latest[place] as number) : never
    const mustFollow = place < order.length ? (earliest[place] as number) : -1
    const end = Math.min(demanded, ownLatest)
    if (end > mustFollow && (place < order.length || demanded === never)) {
      began = end
      continue
    }
    // Something else has to end the old value; a CAS leaves no room for it.
    const fresh = place < order.length ? (order[place] as number) : none
    if (fresh !== none && part.kind[writer[fresh] as number] === registerKind.cas) return false
    const helper = helpers[helped]
    if (helper === undefined || (part.invoke[helper] as number) >= demanded) return false
    if (lastReadOf(chains, old) >= demanded) return false
    if (ownLatest <= mustFollow) return false
    helped += 1
    began = ownLatest
  }
  return true
}

/** The refused CAS by the value that they expected. */
function refusalsOf({ part }: Chains): Refusals {
  const first = firstRefusalMemory(part.values, none)
  const next = nextRefusalMemory(part.count, none)
  for (let operation = 0; operation < part.count; operation += 1) {
    if (part.kind[operation] !== registerKind.differs || part.complete[operation] === never) continue
    const value = part.a[operation] as number
    next[operation] = first[value] as number
    first[value] = operation
  }
  return { first, next }
}

/** By place, the rank after which the value must begin, and the rank at or before which it must. */
function boundsOf(chains: Chains, order: Int32Array): { earliest: Int32Array; latest: Int32Array } {
  const { part, writer, firstRead, nextRead } = chains
  const earliest = earliestMemory(order.length, -1)
  const latest = latestMemory(order.length, never)
  for (let place = 0; place < order.length; place += 1) {
    const value = order[place] as number
    const source = writer[value] as number
    if (place > 0) earliest[place] = Math.max(earliest[place] as number, earliest[place - 1] as number)
    if (source === none) {
      latest[place] = 0
    } else {
      earliest[place] = Math.max(earliest[place] as number, part.invoke[source] as number)
      latest[place] = part.complete[source] as number
    }
    for (let read = firstRead[value] as number; read !== none; read = nextRead[read] as number) {
      latest[place] = Math.min(latest[place] as number, part.complete[read] as number)
      if (place + 1 < order.length) {
        earliest[place + 1] = Math.max(earliest[place + 1] as number, part.invoke[read] as number)
      }
    }
  }
  for (let place = order.length - 2; place >= 0; place -= 1) {
    latest[place] = Math.min(latest[place] as number, latest[place + 1] as number)
  }
  return { earliest, latest }
}

/** The rank at or before which the value must end because of refused CAS invoked after it began; `never` when none. */
function demandOf(
  { part }: Chains,
  { refusals, value, began }: { refusals: Refusals; value: number; began: number },
): number {
  let demanded = never
  for (let at = refusals.first[value] as number; at !== none; at = refusals.next[at] as number) {
    if ((part.invoke[at] as number) >= began) demanded = Math.min(demanded, part.complete[at] as number)
  }
  return demanded
}

/** The writes of unknown outcome that nobody saw and no refused CAS expected. */
function helpersOf({ part, observer }: Chains, refusals: Refusals): Int32Array {
  const helpers = helperMemory(part.count, none)
  let length = 0
  for (let operation = 0; operation < part.count; operation += 1) {
    if (part.kind[operation] !== registerKind.write || part.complete[operation] !== never) continue
    const value = part.a[operation] as number
    if (observer[value] !== none || refusals.first[value] !== none) continue
    helpers[length] = operation
    length += 1
  }
  return helpers.subarray(0, length)
}

function lastReadOf({ part, firstRead, nextRead }: Chains, value: number): number {
  let last = -1
  for (let read = firstRead[value] as number; read !== none; read = nextRead[read] as number) {
    last = Math.max(last, part.invoke[read] as number)
  }
  return last
}
