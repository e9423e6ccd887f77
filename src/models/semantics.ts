import { z } from 'zod'
import { DeclarationError } from '../errors.js'
import { jsonSchema } from '../json.js'
import type { Semantics } from './model.js'
import { problemsOf } from '../problems.js'

const semanticsSchema = z.strictObject({
  init: jsonSchema.optional(),
  nullRead: z.enum(['absent', 'unknown']).optional(),
  failed: z.enum(['ignored', 'observed']).optional(),
})

/**
 * The semantics of a model with its defaults filled in: nothing written yet (`init` null unless the model says
 * otherwise), a null read saw an absent value, a failed operation is left out.
 * Throws DeclarationError naming the model and the option that is wrong.
 */
export function semanticsOf(
  model: string,
  given: Partial<Semantics> = {},
  init: Semantics['init'] = null,
): Semantics {
  const parsed = semanticsSchema.safeParse(given)
  if (parsed.success) {
    return {
      init: given.init === undefined ? init : given.init,
      nullRead: given.nullRead ?? 'absent',
      failed: given.failed ?? 'ignored',
    }
  }
  throw new DeclarationError('model-semantics', `${model}(): ${problemsOf(parsed.error)}`, {
    hint: "options are init (any JSON value), nullRead ('absent' or 'unknown') and failed ('ignored' or 'observed')",
  })
}
