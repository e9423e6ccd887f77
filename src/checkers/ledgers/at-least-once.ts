import type { Checker } from '../checker.js'
import { defineChecker } from '../define.js'
import { effectsOptions, type EffectsOptions } from './effects-options.js'
import { judgeEffects } from './judge-effects.js'

const name = 'at-least-once'

/**
 * Everything that was acknowledged takes effect, by business key; it may do so more than once. See `exactlyOnce` for what is
 * an effect and what stays `unknown`; without `effects` an acknowledgement of an operation that is no put into a queue is
 * taken for its effect. O(n log n). Throws DeclarationError when the options are wrong.
 */
export function atLeastOnce<Client = unknown>(options: EffectsOptions<Client> = {}): Checker<Client> {
  const { id, effect, effects } = effectsOptions(options, { checker: name, factory: 'atLeastOnce' })
  return defineChecker<Client>({
    name,
    pattern: 11,
    options,
    needs: ['invoke_ts', 'complete_ts', 'op_type', 'input', 'timeout_marker'],
    scope: [
      'effects that happen more than once, and those of failed operations: see exactly-once',
      'losses after an acknowledgement, of what goes through no queue, unless `effects` reads them from the system',
    ],
    ...(effects === undefined ? {} : { collect: async (context) => [...(await effects(context))] }),
    judge: (input) => judgeEffects(input, { id, effect, isRead: effects !== undefined, isOnce: false }),
  })
}
