import type { Category } from '../claim/claim.js'
import type { FaultName } from '../nemesis/faults/index.js'
import type { Sighting } from './source.js'
import type { TechniqueId } from './technique.js'

/** A way in which distributed systems go wrong again and again. */
export interface Pitfall {
  readonly id: string
  readonly title: string
  /** What a user or an operator sees. */
  readonly symptom: string
  /** How it comes about. */
  readonly mechanism: string
  readonly seen: readonly Sighting[]
  /** The best first. */
  readonly techniques: readonly TechniqueId[]
  /** A hypothesis for section 4 of a plan, with `<places>` to fill. */
  readonly hypothesis: string
  /** Of the claims that it breaks. */
  readonly categories: readonly Category[]
  /** By the names of this package; the best first. */
  readonly models: readonly string[]
  readonly checkers: readonly string[]
  readonly faults: readonly FaultName[]
}
