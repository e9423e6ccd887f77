import type { Checker } from '../../checkers/checker.js'
import { categories } from '../../claim/claim.js'
import type { Model } from '../../models/model.js'

/** Why a checker does not fit the model, whatever is claimed; null when it does for some category of claims. */
export function misfitOf(checker: Pick<Checker, 'misfit'>, model: Model | null): string | null {
  const misfits = categories.map((category) => checker.misfit(model, [category]))
  return misfits.includes(null) ? null : (misfits[0] ?? null)
}
