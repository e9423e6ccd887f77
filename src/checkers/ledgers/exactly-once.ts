import type { Checker } from '../checker.js'
import { defineChecker } from '../define.js'
import { effectsOptions, type EffectsOptions } from './effects-options.js'
import { judgeEffects } from './judge-effects.js'

const name = 'exactly-once'

/**
 * Everything that was acknowledged takes effect exactly once, by business key, and what failed does not.
 *
 * The effects of a key are the deliveries of an element that was put into a queue; of other operations the different effects
 * that their answers tell; or, with `effects`, what the system shows at quiescence. Retries are other operations with the
 * same key. Several attempts whose answers do not tell their effects leave the answer `unknown`, as do elements that may
 * still be in a queue, and keys that equal the ids of operations. O(n log n). Throws DeclarationError when the options
 * are wrong.
 */
export function exactlyOnce<Client = unknown>(options: EffectsOptions<Client> = {}): Checker<Client> {
  const { id, effect, effects } = effectsOptions(options, { checker: name, factory: 'exactlyOnce' })
  return defineChecker<Client>({
    name,
    pattern: 11,
    options,
    needs: ['invoke_ts', 'complete_ts', 'op_type', 'input', 'timeout_marker'],
    scope: [
      'effects that no answer tells, unless `effects` reads them from the system',
      'what an effect is worth: see bank-total',
      'effects of keys that no operation asked for: see no-unexpected',
    ],
    ...(effects === undefined ? {} : { collect: async (context) => [...(await effects(context))] }),
    judge: (input) => judgeEffects(input, { id, effect, isRead: effects !== undefined, isOnce: true }),
  })
}
