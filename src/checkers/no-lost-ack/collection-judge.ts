import { outcomeOf, type Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import { canonical } from '../../models/canonical.js'
import { placeOf, readsIn, type FinalAnswer } from './answer.js'
import type { Findings } from './findings.js'
import type { Write, WriteTypes } from './writes.js'

/** What was taken out of one key's collection on purpose. */
export interface Removals {
  /** The removed elements, and by when the last removal of each had returned. */
  readonly until: ReadonlyMap<string, number>
  /** Removals of unknown outcome that do not say what they took: each may have taken one element. */
  readonly blind: number
}

/** The removals of one key: of the element in the input, or of the one in the output when the input is null. */
export function removalsOf(operations: readonly Operation[], types: WriteTypes): Removals {
  const until = new Map<string, number>()
  let blind = 0
  for (const operation of operations) {
    const outcome = outcomeOf(operation)
    if (!types.removes.has(operation.op_type) || outcome === 'failed') continue
    const taken = operation.input ?? operation.output
    if (taken === null) {
      if (outcome === 'unknown') blind += 1
      continue
    }
    for (const value of valuesIn(taken)) {
      until.set(value, Math.max(until.get(value) ?? -1, operation.complete_ts ?? Infinity))
    }
  }
  return { until, blind }
}

/** A value, and when it is a list also its elements: a removal may take several at once. */
function valuesIn(taken: Json): string[] {
  return Array.isArray(taken) ? [canonical(taken), ...taken.map(canonical)] : [canonical(taken)]
}

/** The elements of one key at the end, and what should be there. */
export interface Collection {
  readonly answers: readonly FinalAnswer[]
  readonly writes: readonly Write[]
  /** Which of the acknowledged writes the answers must show. */
  readonly mustShow: (write: Write) => boolean
  readonly removals: Removals
  readonly from: 'each' | 'any'
  /** Such as `under key "k" `, or nothing. */
  readonly key: string
}

/**
 * Judges the final elements of a set, queue or log: every acknowledged element must be there unless it was removed on
 * purpose after or while it was added.
 */
export function judgeCollection(collection: Collection, findings: Findings): void {
  const { answers, writes, mustShow, removals, from, key } = collection
  const present = answers.map((answer) => ({ answer, elements: new Set(elementsOf(answer.value)) }))
  const last = new Map<string, Write>()
  for (const write of writes) {
    if (write.outcome !== 'ok' || !mustShow(write)) continue
    if ((removals.until.get(write.value) ?? -1) < write.invoke) last.set(write.value, write)
  }
  const missing = [...last.values()].flatMap((write) => {
    const without = present.filter(({ elements }) => !elements.has(write.value)).map(({ answer }) => answer)
    const isLost = from === 'each' ? without.length > 0 : without.length === present.length
    return isLost ? [{ write, without }] : []
  })
  if (missing.length <= removals.blind) {
    findings.takenPerhaps += missing.length
    return
  }
  const doubt =
    removals.blind === 0
      ? ''
      : `; unanswered removals can account for at most ${removals.blind} of the ${missing.length} missing ones`
  for (const { write, without } of missing) {
    findings.lost.add(write.operation)
    findings.losses.add(() => ({
      type: 'lost-acknowledged-write',
      explanation:
        `${write.operation.op_type}(${write.value}) (operation ${JSON.stringify(write.operation.op_id)}) was ` +
        `acknowledged, and the element is missing ${key}${placeOf(without)} at the end${doubt}`,
      operations: [write.operation.op_id, ...readsIn(without)],
    }))
  }
}

/** Finds elements that are there at the end and that no operation is known to have put there. */
export function findStrays(
  { answers, writes, key }: Pick<Collection, 'answers' | 'writes' | 'key'>,
  findings: Findings,
): void {
  const attempted = new Set(writes.filter(({ outcome }) => outcome !== 'failed').map(({ value }) => value))
  const unexpected = new Set<string>()
  for (const { value } of answers) {
    for (const element of elementsOf(value)) if (!attempted.has(element)) unexpected.add(element)
  }
  for (const value of unexpected) {
    findings.strays.add(() => {
      const failed = writes.find((write) => write.outcome === 'failed' && write.value === value)
      const hint = failed
        ? `; operation ${JSON.stringify(failed.operation.op_id)}, which added it, is recorded as failed: was that a timeout?`
        : ''
      return {
        type: 'unexpected-value',
        explanation: `The element ${value} is there ${key}at the end, and no operation is known to have added it${hint}`,
        operations: failed ? [failed.operation.op_id] : [],
      }
    })
  }
}

function elementsOf(value: Json): string[] {
  if (value === null) return []
  return (Array.isArray(value) ? value : [value]).map(canonical)
}
