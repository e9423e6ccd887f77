import { outcomeOf, type Operation } from '../../history/operation.js'
import { fieldOf } from '../field-of.js'
import { isTake } from '../queues/queue-traffic.js'
import { valueKey, type ValueKey } from '../queues/value-key.js'
import { Deed, type DeedsFound } from './deeds.js'

/** Where business keys stand when nothing is said. */
const usual = ['business_id', 'businessId', 'idempotency_key', 'idempotencyKey']

/** The business key in an input; undefined when there is none. */
export function businessKey(input: Operation['input'], path: string | null): ValueKey | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  for (const one of path === null ? usual : [path]) {
    const found = fieldOf(input, one)
    if (found !== undefined && found !== null) return valueKey(found)
  }
  return undefined
}

const noKeys: readonly ValueKey[] = []

/** A deed with what its answers tell of effects. */
interface Answered {
  readonly deed: Deed
  /** The different effects that were told, one for each of the deed's effects. */
  told: readonly ValueKey[]
  /** Whether an answer told no effect. */
  isAnonymous: boolean
}

/**
 * Deeds that operations do by themselves, such as a payment: those of the same type and key with the same business key are
 * attempts at one deed. An acknowledged attempt shows an effect, which the field `effect` of its answer tells from others.
 */
export function deedsByAnswers(
  operations: readonly Operation[],
  { id: idPath, effect: effectPath }: { id: string | null; effect: string },
): DeedsFound {
  const types = new Map<string, Map<Operation['key'], Map<ValueKey, Answered>>>()
  const all: Answered[] = []
  for (const operation of operations) {
    const { op_type: type, key, input, output } = operation
    if (isTake(type)) continue
    const id = businessKey(input, idPath)
    if (id === undefined) continue
    const keys = types.get(type) ?? new Map<Operation['key'], Map<ValueKey, Answered>>()
    types.set(type, keys)
    const ids = keys.get(key) ?? new Map<ValueKey, Answered>()
    keys.set(key, ids)
    let answered = ids.get(id)
    if (answered === undefined) {
      answered = { deed: new Deed(id), told: noKeys, isAnonymous: false }
      ids.set(id, answered)
      all.push(answered)
    }
    const { deed } = answered
    const outcome = outcomeOf(operation)
    // An answer of false is a refusal.
    if (outcome === 'failed' || output === false) deed.note('failed', operation)
    else if (outcome === 'unknown') deed.note('unknown', operation)
    else {
      deed.note('acknowledged', operation)
      addEffect(answered, operation, fieldOf(output, effectPath))
    }
  }
  const doubtful = all.filter(({ deed, isAnonymous }) => {
    const attempts = deed.acknowledged.length + deed.unknown.length
    return attempts > 1 && (deed.unknown.length > 0 || isAnonymous)
  })
  return { deeds: all.map(({ deed }) => deed), lost: [], pending: 0, doubtful: doubtful.length }
}

function addEffect(answered: Answered, by: Operation, effect: Operation['output'] | undefined): void {
  const { deed, told } = answered
  if (effect === undefined || effect === null) {
    answered.isAnonymous = true
    if (deed.effects.length === 0) deed.note('effects', by)
    return
  }
  const key = valueKey(effect)
  if (told.includes(key)) return
  answered.told = [...told, key]
  // The first effect that is told may be the one that an answer before did not tell.
  if (told.length >= deed.effects.length) deed.note('effects', by)
}
