import { DeclarationError } from '../errors.js'
import type { Checker } from './checker.js'
import { linearizable } from './linearizability/linearizable.js'
import { sequential } from './sequential/sequential.js'

/** What an index says of a history for its checkers. */
export interface NamedOptions {
  /** See `SequentialOptions`. */
  readonly sessionOrder?: boolean
}

/** Checkers that need nothing but a recorded history and a model. */
const factories: Readonly<Record<string, (options: NamedOptions) => Checker>> = {
  linearizable: () => linearizable(),
  sequential,
}

/** The names that `checkerNamed` knows. */
export const checkerNames: readonly string[] = Object.keys(factories)

/** A checker of recorded histories by its name. Throws DeclarationError listing the names when there is none. */
export function checkerNamed(name: string, options: NamedOptions = {}): Checker {
  const factory = Object.hasOwn(factories, name) ? factories[name] : undefined
  if (factory) return factory(options)
  throw new DeclarationError(
    'checker-name',
    `no checker ${JSON.stringify(name)} judges a recorded history alone`,
    {
      hint: `checkers are ${checkerNames.join(', ')}`,
    },
  )
}
