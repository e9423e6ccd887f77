import { never, none, registerKind, type Decision, type ExactChecker, type Part } from '../../part.js'
import { clash } from './clash.js'
import { earliest, type Found } from './earliest.js'
import { reusable } from './scratch.js'
import { seenBeforeWritten } from './written.js'
import { conflict } from './zone-sweep.js'

const writerMemory = reusable()
const writtenMemory = reusable()
const firstReturnMemory = reusable()
const lastInvokeMemory = reusable()

/**
 * A register whose written values are all distinct (Gibbons and Korach, Testing Shared Memories, 1997).
 *
 * The write and the completed reads of a value make up one block in any order, so the history is linearizable exactly
 * when every value read was written in time and no two blocks must each precede the other; see `conflict`. A write of
 * unknown outcome never returned: it takes part as soon as someone read its value, and not at all before that.
 *
 * Linear in operations, events and values, without sorting.
 */
export const zones: ExactChecker = {
  name: 'register-zones',
  object: 'register',
  preconditions: 'reads and writes only, and no value written twice or equal to the initial one',
  decide,
}

function decide(part: Part): Decision {
  const writers = distinctWriters(part)
  if (typeof writers === 'string') return { valid: 'unknown', reason: writers }
  const found = find(part, { writers, limit: part.events - 1 })
  if (found === null) return { valid: true }
  return { valid: false, violation: earliest(found, (limit) => find(part, { writers, limit })) }
}

/** The write of each value, `none` where there is none; or why the precondition does not hold. */
function distinctWriters(part: Part): Int32Array | string {
  const { count, kind, a } = part
  const writers = writerMemory(part.values, none)
  for (let operation = 0; operation < count; operation += 1) {
    if (kind[operation] === registerKind.read) continue
    if (kind[operation] !== registerKind.write) return 'there are operations other than reads and writes'
    const value = a[operation] as number
    if (value === 0 || writers[value] !== none) return 'a value is written more than once'
    writers[value] = operation
  }
  return writers
}

/** A violation in the history up to the event `limit`. */
function find(part: Part, { writers, limit }: { writers: Int32Array; limit: number }): Found | null {
  const { count, kind, a, invoke, complete, values } = part
  const firstReturn = firstReturnMemory(values, never)
  const lastInvoke = lastInvokeMemory(values, -1)
  const written = writtenMemory(values, never)
  for (let value = 0; value < values; value += 1) {
    const writer = writers[value] as number
    if (writer !== none) written[value] = invoke[writer] as number
  }
  firstReturn[0] = -1
  written[0] = -1
  let early = none
  let earlyReturn = never
  for (let operation = 0; operation < count; operation += 1) {
    const value = a[operation] as number
    const began = invoke[operation] as number
    const ended = complete[operation] as number
    if (kind[operation] === registerKind.read) {
      if (ended > limit) continue
      if ((written[value] as number) > ended && ended < earlyReturn) {
        early = operation
        earlyReturn = ended
      }
    } else if (began > limit) {
      continue
    }
    if (ended <= limit && ended < (firstReturn[value] as number)) firstReturn[value] = ended
    if (began > (lastInvoke[value] as number)) lastInvoke[value] = began
  }
  if (early !== none) {
    return seenBeforeWritten(part, { operation: early, writer: writers[a[early] as number] as number, limit })
  }
  const clusters = conflict({ firstReturn, lastInvoke }, part.events)
  return clusters && clash({ part, clusterOf: a, clusters, initial: 0, limit })
}
