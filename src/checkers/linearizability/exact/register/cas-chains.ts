import { none, registerKind, type Decision, type ExactChecker, type Part } from '../../part.js'
import { chainsOf, type Chains } from './chains.js'
import { indexChains } from './chain-index.js'
import { earliest, type Found } from './earliest.js'
import { neverRefusable } from './refusals.js'
import { reusable } from './scratch.js'
import { hasWitness } from './witness.js'

const writerMemory = reusable()

/**
 * A register with compare-and-set whose new values, of writes and CAS together, are all distinct.
 *
 * A CAS from a to b that took effect reads a and writes b with nothing in between, so values linked by CAS make up one
 * chain, and its operations one block in a known order. The chains then take the place of the values in `zones`.
 * Refused CAS, which saw some other value than the expected one, are judged in two steps: one during which the expected
 * value was there for certain is a violation; otherwise a greedy order of the whole history is tried, and when it has a
 * place for every refused CAS the history is linearizable. When it has not, nothing is known.
 *
 * Linear in operations, events and values; with refused CAS n log n.
 */
export const casChains: ExactChecker = {
  name: 'register-cas-chains',
  object: 'register',
  preconditions: 'no new value of a write or CAS occurs twice or equals the initial one',
  decide,
}

function decide(part: Part): Decision {
  const writer = distinctWriters(part)
  if (writer === null) return { valid: 'unknown', reason: 'a value is written more than once' }
  const chains = find(part, { writer, limit: part.events - 1 })
  if ('violation' in chains) {
    const upTo = (limit: number) => {
      const found = find(part, { writer, limit })
      return 'violation' in found ? found : null
    }
    return { valid: false, violation: earliest(chains, upTo) }
  }
  if (!part.kind.includes(registerKind.differs) || hasWitness(chains)) return { valid: true }
  return {
    valid: 'unknown',
    reason: 'no order was found in which every refused CAS met a value other than the one it expected',
  }
}

/** The operation that writes each value, `none` where there is none; null when some value has two. */
function distinctWriters({ count, kind, a, b, values }: Part): Int32Array | null {
  const writer = writerMemory(values, none)
  for (let operation = 0; operation < count; operation += 1) {
    const isWrite = kind[operation] === registerKind.write
    if (!isWrite && kind[operation] !== registerKind.cas) continue
    const value = (isWrite ? a[operation] : b[operation]) as number
    if (value === 0 || writer[value] !== none) return null
    writer[value] = operation
  }
  return writer
}

/** A violation in the history up to the event `limit`, or its chains. */
function find(part: Part, { writer, limit }: { writer: Int32Array; limit: number }): Found | Chains {
  const index = indexChains(part, { writer, limit })
  if ('violation' in index) return index
  const chains = chainsOf(index)
  if ('violation' in chains) return chains
  return neverRefusable(chains) ?? chains
}
