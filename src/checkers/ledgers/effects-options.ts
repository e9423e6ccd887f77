import { z } from 'zod'
import { DeclarationError } from '../../errors.js'
import { checkedOptions } from '../checked-options.js'
import type { CollectContext } from '../checker.js'

/** Options of `exactlyOnce` and `atLeastOnce`. */
export interface EffectsOptions<Client = unknown> {
  /**
   * Where the business key stands in the input, as a field or dotted path: what says that two operations ask for the same
   * thing, such as a payment's own number. Default: business_id, businessId, idempotency_key or idempotencyKey; of what is
   * put into a queue the whole element. It must not be the id of the operation: a retry is another operation.
   */
  readonly id?: string
  /** Where an answer tells which effect the operation had, such as the number of a booking. Default: effect. */
  readonly effect?: string
  /** Reads the business keys of all effects from the system at quiescence, each as often as it took effect. */
  readonly effects?: (context: CollectContext<Client>) => Promise<readonly (string | number)[]>
}

const path = z.string().min(1).optional()
const schema = z.strictObject({
  id: path,
  effect: path,
  effects: z
    .custom<unknown>((value) => typeof value === 'function', 'expected a function that reads all effects')
    .optional(),
})

/** The options with defaults filled in. Throws DeclarationError that says which one is wrong. */
export function effectsOptions<Client>(
  options: EffectsOptions<Client>,
  { checker, factory }: { checker: string; factory: string },
): { id: string | null; effect: string; effects: EffectsOptions<Client>['effects'] } {
  const example = `${factory}({ id: 'payment_id', effect: 'booking_id' })`
  checkedOptions(options, { checker, factory, schema, example })
  const { id = null, effect = 'effect', effects } = options
  if (id === 'op_id') {
    throw new DeclarationError(
      checker,
      `${factory}(): id is "op_id", which a retry does not share with what it retries, so it proves nothing`,
      { hint: `name a key of your business in the input: ${example}` },
    )
  }
  return { id, effect, effects }
}
