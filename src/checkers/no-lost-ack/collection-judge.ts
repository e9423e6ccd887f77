import { outcomeOf, type Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import { canonical } from '../../models/canonical.js'
import type { Anomaly } from '../checker.js'
import type { FinalRead } from './final-reads.js'
import type { Write, WriteTypes } from './writes.js'

export interface CollectionFinding {
  readonly lost: readonly Write[]
  readonly anomalies: readonly Anomaly[]
  /** Missing elements that unanswered removals may have taken: nothing can be said of them. */
  readonly undecided: number
}

/** What was taken out of one key's collection on purpose. */
export interface Removals {
  readonly values: ReadonlySet<string>
  /** Removals of unknown outcome that do not say what they took: each may have taken one element. */
  readonly blind: number
}

/** The removals of one key: of the element in the input, or of the one in the output when the input is null. */
export function removalsOf(operations: readonly Operation[], types: WriteTypes): Removals {
  const values = new Set<string>()
  let blind = 0
  for (const operation of operations) {
    const outcome = outcomeOf(operation)
    if (!types.removes.has(operation.op_type) || outcome === 'failed') continue
    const taken = operation.input ?? operation.output
    if (taken !== null) for (const value of valuesIn(taken)) values.add(value)
    else if (outcome === 'unknown') blind += 1
  }
  return { values, blind }
}

/** A value, and when it is a list also its elements: a removal may take several at once. */
function valuesIn(taken: Json): string[] {
  return Array.isArray(taken) ? [canonical(taken), ...taken.map(canonical)] : [canonical(taken)]
}

/**
 * Judges the final elements of a set, queue or log: every acknowledged element must be there unless it was removed on
 * purpose, and nothing may be there that no operation is known to have put there. `reads` are of one key.
 */
export function judgeCollection(
  reads: readonly FinalRead[],
  {
    writes,
    removals,
    from,
    key,
  }: { writes: readonly Write[]; removals: Removals; from: 'each' | 'any'; key: string },
): CollectionFinding {
  const present = reads.map(({ node, value }) => ({ node, elements: new Set(elementsOf(value)) }))
  const acknowledged = new Map(
    writes.filter(({ outcome }) => outcome === 'ok').map((write) => [write.value, write]),
  )
  const attempted = new Set(writes.filter(({ outcome }) => outcome !== 'failed').map(({ value }) => value))

  const missing = [...acknowledged.values()].flatMap((write) => {
    if (removals.values.has(write.value)) return []
    const without = present.filter(({ elements }) => !elements.has(write.value)).map(({ node }) => node)
    const isLost = from === 'each' ? without.length > 0 : without.length === present.length
    return isLost ? [{ write, without }] : []
  })
  const unexpected = [...new Set(present.flatMap(({ elements }) => [...elements]))].filter(
    (value) => !attempted.has(value),
  )
  const strays = unexpected.map((value) => strayAnomaly(value, { writes, key }))
  if (missing.length <= removals.blind) return { lost: [], anomalies: strays, undecided: missing.length }

  const doubt =
    removals.blind === 0
      ? ''
      : `; unanswered removals can account for at most ${removals.blind} of the ${missing.length} missing ones`
  const losses = missing.map(({ write, without }) => ({
    type: 'lost-acknowledged-write',
    explanation:
      `${write.operation.op_type}(${write.value}) (operation ${JSON.stringify(write.operation.op_id)}) was ` +
      `acknowledged, and the element is missing ${key}on ${without.join(', ')} at the end${doubt}`,
    operations: [write.operation.op_id],
  }))
  return { lost: missing.map(({ write }) => write), anomalies: [...losses, ...strays], undecided: 0 }
}

function elementsOf(value: Json): string[] {
  if (value === null) return []
  return (Array.isArray(value) ? value : [value]).map(canonical)
}

function strayAnomaly(value: string, { writes, key }: { writes: readonly Write[]; key: string }): Anomaly {
  const failed = writes.find((write) => write.outcome === 'failed' && write.value === value)
  const hint = failed
    ? `; operation ${JSON.stringify(failed.operation.op_id)}, which added it, is recorded as failed: was that a timeout?`
    : ''
  return {
    type: 'unexpected-value',
    explanation: `The element ${value} is there ${key}at the end, and no operation is known to have added it${hint}`,
    operations: failed ? [failed.operation.op_id] : [],
  }
}
