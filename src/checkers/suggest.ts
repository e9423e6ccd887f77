import type { Category } from '../claim/claim.js'
import { catalog } from './catalog.js'
import { checkersFor } from './picker.js'

/** The checkers to declare for claims of these categories about a model, in words, such as `for safety linearizable()`. */
export function suggestCheckers(model: string | null, categories: readonly Category[]): string {
  const factories = new Map(catalog.map(({ factory, example }) => [example().name, factory]))
  const rows = categories.flatMap((category) => {
    const made = checkersFor(model, category).flatMap((name) => factories.get(name) ?? [])
    return made.length === 0 ? [] : [`for ${category} ${made.map((factory) => `${factory}()`).join(' or ')}`]
  })
  if (rows.length > 0) return rows.join('; ')
  return `no checker of claims about ${categories.join(', ')} ${model === null ? 'works without a model: declare one, or use' : 'is known for this model: use'} invariant()`
}
