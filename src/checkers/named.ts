import { DeclarationError } from '../errors.js'
import { catalog, type NamedOptions } from './catalog.js'
import type { Checker } from './checker.js'

/** Checkers that need nothing but a recorded history and a model. */
const factories = new Map(
  catalog.flatMap(({ example, recorded }) => (recorded === undefined ? [] : [[example().name, recorded]])),
)

/** The names that `checkerNamed` knows. */
export const checkerNames: readonly string[] = [...factories.keys()]

/** A checker of recorded histories by its name. Throws DeclarationError listing the names when there is none. */
export function checkerNamed(name: string, options: NamedOptions = {}): Checker {
  const factory = factories.get(name)
  if (factory) return factory(options)
  throw new DeclarationError(
    'checker-name',
    `no checker ${JSON.stringify(name)} judges a recorded history alone`,
    {
      hint: `checkers are ${checkerNames.join(', ')}`,
    },
  )
}
