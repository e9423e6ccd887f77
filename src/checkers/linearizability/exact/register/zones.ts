import { registerKind, type Decision, type ExactChecker, type Part } from '../../part.js'
import { clash } from './clash.js'
import { earliest, type Found } from './earliest.js'
import { sweepBlocks, type Swept } from './sweep-blocks.js'
import { seenBeforeWritten } from './written.js'

/**
 * A register whose written values are all distinct (Gibbons and Korach, Testing Shared Memories, 1997).
 *
 * The write and the completed reads of a value make up one block in any order, so the history is linearizable exactly
 * when every value read was written in time and no two blocks must each precede the other; see `sweepBlocks`. A write of
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
  const limit = part.events - 1
  const swept = sweepBlocks(part, limit)
  if (typeof swept === 'string') return { valid: 'unknown', reason: swept }
  const found = violationOf(part, swept, limit)
  if (found === null) return { valid: true }
  const find = (until: number) => {
    const before = sweepBlocks(part, until)
    // Values that are distinct in the whole history are distinct in its beginning.
    return typeof before === 'string' ? null : violationOf(part, before, until)
  }
  return { valid: false, violation: earliest(found, find) }
}

function violationOf(part: Part, { early, clusters }: Swept, limit: number): Found | null {
  if (early !== null) {
    const operation = part.complete.indexOf(early)
    const value = part.a[operation]
    const writer = part.a.findIndex((its, at) => its === value && part.kind[at] === registerKind.write)
    return seenBeforeWritten(part, { operation, writer, limit })
  }
  return clusters && clash({ part, clusterOf: part.a, clusters, initial: 0, limit })
}
