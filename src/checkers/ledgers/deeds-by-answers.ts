import { outcomeOf, type Operation } from '../../history/operation.js'
import { canonical } from '../../models/canonical.js'
import { fieldOf } from '../field-of.js'
import { isTake } from '../queues/queue-traffic.js'
import { valueKey, type ValueKey } from '../queues/value-key.js'
import { deedOf, type Deed, type DeedsFound } from './deeds.js'

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

/**
 * Deeds that operations do by themselves, such as a payment: those of the same type and key with the same business key are
 * attempts at one deed. An acknowledged attempt shows an effect, which the field `effect` of its answer tells from others.
 */
export function deedsByAnswers(
  operations: readonly Operation[],
  { id: idPath, effect: effectPath }: { id: string | null; effect: string },
): DeedsFound {
  const kinds = new Map<string, Map<ValueKey, Deed>>()
  const effectsOf = new Map<Deed, Set<string>>()
  const anonymous = new Map<Deed, number>()
  for (const operation of operations) {
    const { op_type: type, key, input, output } = operation
    if (isTake(type)) continue
    const id = businessKey(input, idPath)
    if (id === undefined) continue
    const kind = `${type} ${JSON.stringify(key)}`
    const deeds = kinds.get(kind) ?? new Map<ValueKey, Deed>()
    kinds.set(kind, deeds)
    const deed = deedOf(deeds, id)
    const outcome = outcomeOf(operation)
    // An answer of false is a refusal.
    if (outcome === 'failed' || output === false) deed.failed.push(operation)
    else if (outcome === 'unknown') deed.unknown.push(operation)
    else {
      deed.acknowledged.push(operation)
      const effect = fieldOf(output, effectPath)
      if (effect === undefined || effect === null) {
        anonymous.set(deed, (anonymous.get(deed) ?? 0) + 1)
        if (deed.effects.length === 0) deed.effects.push(operation)
        continue
      }
      const effects = effectsOf.get(deed) ?? new Set<string>()
      effectsOf.set(deed, effects)
      if (effects.has(canonical(effect))) continue
      effects.add(canonical(effect))
      if (effects.size > 1 || !anonymous.has(deed)) deed.effects.push(operation)
    }
  }
  const deeds = [...kinds.values()].flatMap((kind) => [...kind.values()])
  const doubtful = deeds.filter((deed) => {
    const attempts = deed.acknowledged.length + deed.unknown.length
    return attempts > 1 && (deed.unknown.length > 0 || anonymous.has(deed))
  })
  return { deeds, lost: [], pending: 0, doubtful: doubtful.length }
}
