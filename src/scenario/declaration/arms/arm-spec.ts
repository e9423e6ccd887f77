import type { Control } from '../../../boundary/control.js'
import type { Paths } from '../../../boundary/matrix.js'
import type { Checker } from '../../../checkers/checker.js'
import type { ScenarioBase, ScenarioSpec } from '../../spec.js'

/**
 * One arm of a scenario: a surface of the boundary, or up to three that one oracle can judge together.
 *
 * It has a test, an oracle and a verdict of its own. What it leaves out of `falsifies`, `model`, `workload`, `nemesis`
 * and `checkers` it has from the scenario.
 */
export interface ArmSpec<Client = unknown> extends Partial<
  Pick<ScenarioSpec<Client>, 'falsifies' | 'model' | 'workload' | 'nemesis' | 'checkers'>
> {
  /** Through what the system is reached, such as `GET /documents`. */
  readonly surfaces: readonly string[]
  /** What tells one scope from another, such as tenant and document id. */
  readonly keys: readonly string[]
  /** What must be possible on the live system, and what must be refused and be seen to be refused. */
  readonly controls: readonly Control<Client>[]
  /** Delayed and asynchronous ways behind the surface; `{ none: 'why' }` when there are none. */
  readonly asyncPaths: Paths
  /** What runs by itself, such as compaction and expiry; `{ none: 'why' }` when nothing does. */
  readonly backgroundPaths: Paths
  /** Where a crossing of the boundary would be seen; `{ none: 'why' }` when nowhere. */
  readonly observabilityPaths: Paths
  /** Why no control is tried with identifiers that look alike; needed when none is. */
  readonly confusable?: { readonly none: string }
}

/** A scenario that stands alone, as it is declared. */
export interface UnarmedScenarioSpec<Client = unknown> extends ScenarioBase<Client> {
  readonly checkers: readonly Checker<Client>[]
  readonly arms?: undefined
}

/** A scenario whose claims are about boundaries or fairness: it is as good as its weakest arm. */
export interface ArmedScenarioSpec<Client = unknown> extends ScenarioBase<Client> {
  readonly checkers?: readonly Checker<Client>[]
  /** By name. The record of an arm has the id `S5/<name>`, and its test the name `<scenario> > <name>`. */
  readonly arms: Readonly<Record<string, ArmSpec<Client>>>
}
