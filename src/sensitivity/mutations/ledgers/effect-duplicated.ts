import { shown } from '../../../checkers/words.js'
import { outcomeOf, type Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import { changed } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { CleanHistory, Mutation } from '../../mutation.js'
import { perHistory } from '../../per-history.js'

const fields = ['business_id', 'businessId', 'idempotency_key', 'idempotencyKey']

/** By business key the types of the operations that asked for it, and how many others it has at most. */
const asked = perHistory(({ operations }: CleanHistory) => {
  const types = new Map<Json, Set<string>>()
  for (const operation of operations) {
    const key = businessKey(operation)
    if (key === null || outcomeOf(operation) !== 'ok') continue
    const known = types.get(key) ?? new Set<string>()
    types.set(key, known.add(operation.op_type))
  }
  return types
})

function businessKey({ input }: Operation): Json {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const field = fields.find((name) => Object.hasOwn(input, name))
  return field === undefined ? null : (input[field] ?? null)
}

/** The system shows an effect more often at quiescence than anything asked for it. */
export const effectDuplicated: Mutation = {
  name: 'effect-duplicated',
  about: 'a request that was sent again takes effect again',
  draw(history, random) {
    const { collected } = history
    if (!Array.isArray(collected)) return null
    if (collected.some((key) => typeof key !== 'string' && typeof key !== 'number')) return null
    return drawFrom(collected, random, (key) => {
      const times = asked(history).get(key)?.size
      if (times === undefined) return null
      // Operations of several types that share a key may each have an effect.
      const again = Array.from({ length: times }, () => key)
      const what = `${shown(key)} took effect ${times + 1} times`
      return { ...changed(history, { what }), collected: [...collected, ...again] }
    })
  },
}
