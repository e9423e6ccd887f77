import { never, none, registerKind } from '../../part.js'
import { proofsOfEffect, tookEffect } from './chain-index.js'
import { pathTo, type Chains } from './chains.js'
import { foundAmong, returnBy, type Found } from './earliest.js'
import { reusable } from './scratch.js'
import { earliestSuccessor } from './successors.js'

const heldFromMemory = reusable()
const heldUntilMemory = reusable()
const showsFromMemory = reusable()
const showsUntilMemory = reusable()

/**
 * A CAS that was refused although the register held the value that it expected during all of it, or null.
 *
 * A value is written once, so it is there without a break from the first return of an operation that left or found it
 * to the last invocation of one that found it, and on until something else can have taken its place. Linear.
 */
export function neverRefusable(chains: Chains): Found | null {
  const { part, limit } = chains
  const { count, kind, a, b, invoke, complete, values } = part
  if (!kind.includes(registerKind.differs)) return null
  const heldFrom = heldFromMemory(values, never)
  const heldUntil = heldUntilMemory(values, -1)
  const showsFrom = showsFromMemory(values, none)
  const showsUntil = showsUntilMemory(values, none)
  heldFrom[0] = -1
  const shows = (value: number, operation: number) => {
    const ended = returnBy(part, { operation, limit })
    const began = invoke[operation] as number
    if (ended < (heldFrom[value] as number)) {
      heldFrom[value] = ended
      showsFrom[value] = operation
    }
    if (began > (heldUntil[value] as number)) {
      heldUntil[value] = began
      showsUntil[value] = operation
    }
  }
  for (let operation = 0; operation < count; operation += 1) {
    if ((invoke[operation] as number) > limit) continue
    if (kind[operation] === registerKind.read) {
      if ((complete[operation] as number) <= limit) shows(a[operation] as number, operation)
    } else if (kind[operation] === registerKind.write) {
      shows(a[operation] as number, operation)
    } else if (kind[operation] === registerKind.cas && tookEffect(chains, operation)) {
      shows(a[operation] as number, operation)
      shows(b[operation] as number, operation)
    }
  }
  const replaceable = earliestSuccessor(chains)
  for (let refused = 0; refused < count; refused += 1) {
    const value = a[refused] as number
    const ended = complete[refused] as number
    if (kind[refused] !== registerKind.differs || ended > limit) continue
    if ((heldFrom[value] as number) > (invoke[refused] as number)) continue
    const isSeenLater = (heldUntil[value] as number) > ended
    if (!isSeenLater && replaceable(value) < ended) continue
    return refusedWithoutReason(chains, {
      refused,
      from: showsFrom[value] as number,
      until: isSeenLater ? (showsUntil[value] as number) : none,
    })
  }
  return null
}

/** `from` shows that the value was there before; `until` that it was there afterwards, if anything does. */
function refusedWithoutReason(
  chains: Chains,
  { refused, from, until }: { refused: number; from: number; until: number },
): Found {
  const { part, limit, writer } = chains
  const expected = part.a[refused] as number
  const ends = [from, until].filter((operation) => operation !== none)
  const support = [...pathTo(chains, ends), writer[expected] as number]
  return foundAmong(part, {
    type: 'refused-without-reason',
    operations: [refused, ...ends, ...support, ...proofsOfEffect(chains, [...ends, ...support])],
    limit,
    explain: ({ tell, value }) => {
      const held = value(expected)
      const since = from === none ? 'from the start' : `before it began, because ${tell(from)} had returned`
      const still =
        until === none
          ? 'nothing that was written until it returned can have come after that'
          : `still after it had returned, because ${tell(until)} began later and needs ${held}`
      return `${tell(refused)} was refused, but the register held ${held} all the time: ${since}, and ${still}.`
    },
  })
}
