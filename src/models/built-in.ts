import type { Model } from './model.js'
import { modelNamed, modelNames } from './named.js'

const judged = [
  'init',
  'step',
  'identity',
  'isObserver',
  'isOverwrite',
  'leadsTo',
  'registerAction',
  'describeState',
] as const satisfies readonly (keyof Model)[]

/**
 * Whether `modelNamed(model.name, model.semantics)` judges as the model does, so that its name can stand for it where
 * functions cannot go. A model of the user's own is not, whatever its name: its functions are others.
 */
export function isBuiltIn(model: Model): boolean {
  if (!modelNames.includes(model.name)) return false
  const twin = twinOf(model)
  return twin !== null && judged.every((one) => String(model[one]) === String(twin[one]))
}

function twinOf({ name, semantics }: Model): Model | null {
  try {
    return modelNamed(name, semantics)
  } catch {
    // Semantics that the model of this name does not take: then it is another one.
    return null
  }
}
