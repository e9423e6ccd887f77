import { DeclarationError } from '../../errors.js'
import { seedFrom } from '../../random/random.js'
import type { ScenarioSpec } from '../spec.js'

/** The environment variable by which a replay hands over the seed. */
export const seedVariable = 'NEMESIS_SEED'

/**
 * The seed of a scenario's first run: the one of a replay, the declared one, or one drawn from the scenario's name, so
 * that it is the same every time. Throws DeclarationError when the environment holds something that is no seed.
 */
export function firstSeed(spec: Pick<ScenarioSpec, 'seed'>, name: string): number {
  const given = process.env[seedVariable]
  if (given === undefined || given === '') return spec.seed ?? seedFrom(name)
  const seed = Number(given)
  if (Number.isSafeInteger(seed) && seed >= 0) return seed
  throw new DeclarationError('seed', `${seedVariable}=${given} is not a seed`, {
    hint: 'a seed is a whole number from 0, as printed in the report',
  })
}
