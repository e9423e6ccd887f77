import type { Change } from '../../findings/blame/changed-run.js'
import type { Workload } from '../../workload/workload.js'
import type { BlameHints, ScenarioSpec } from '../spec.js'

/** A run with one thing changed on purpose. */
export interface ChangedRun {
  readonly change: Change
  readonly spec: Partial<ScenarioSpec>
  /** Added to the seed of the violated run. */
  readonly seedBy: number
}

/** How often a changed run is tried that did not go to its end, or shows nothing although it may. */
export const changeAttempts = 2

/** Far from the seeds of a budget, which follow one another. */
const anotherSeed = 7_919

/**
 * The runs that tell whose a violation is: without the faults, with another workload, and with what the scenario names.
 * None when it asks for none. An imperative body injects and performs by itself, so only its client can be changed.
 */
export function changesOf(spec: ScenarioSpec, hasBody: boolean): ChangedRun[] {
  const hints = spec.blame
  if (hints === false) return []
  return [...generic(spec, hasBody), ...named(spec, hints ?? {})]
}

function generic(spec: ScenarioSpec, hasBody: boolean): ChangedRun[] {
  if (hasBody) return []
  const changes: ChangedRun[] = []
  if ((spec.nemesis ?? []).length > 0) {
    changes.push({ change: 'without faults', spec: { nemesis: [] }, seedBy: 0 })
  }
  if (spec.workload !== undefined) {
    const workload = another(spec.workload)
    changes.push({ change: 'another workload', spec: { workload }, seedBy: anotherSeed })
  }
  return changes
}

/** The same operations by one client more, on keys of another skew; the seed gives another order and other values. */
function another({ spec }: Workload): Workload {
  const { keys } = spec
  const skew = keys?.skew === 'zipf' ? 'uniform' : 'zipf'
  return {
    spec: { ...spec, clients: spec.clients + 1, ...(keys === undefined ? {} : { keys: { ...keys, skew } }) },
  }
}

function named(spec: ScenarioSpec, { generator, client }: BlameHints): ChangedRun[] {
  const changes: ChangedRun[] = []
  if (generator !== undefined) {
    changes.push({ change: 'another generator', spec: { workload: generator }, seedBy: 0 })
  }
  if (client !== undefined) {
    // What closes the usual clients may not close others.
    const { close: _, ...others } = spec.system.spec
    const system = { ...spec.system, spec: { ...others, ...client } }
    changes.push({ change: 'another client', spec: { system }, seedBy: 0 })
  }
  return changes
}
