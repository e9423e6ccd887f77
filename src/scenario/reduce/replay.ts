import type { Reproducer } from '../../findings/reduction/reproducer.js'
import type { RunRecord } from '../../session/record.js'
import { otherHarness } from '../declaration/changed-since.js'
import { rerunsOf } from '../declaration/limits.js'
import { outcomeOf } from '../pass/pass-outcome.js'
import type { PassRequest, Passes } from '../runs/passes.js'
import { passOf } from './reproduce.js'
import type { ScenarioSpec } from '../spec.js'

/** What of a scenario is not as it was when the reproducer was made, in words; see `changedSince`. */
export function changedSinceReproducer(passes: Passes, { harness }: Reproducer): string[] {
  return harness === undefined || harness === passes.harness ? [] : [otherHarness]
}

/** The scenario as a reproducer has it: its faults, and no budget, which a reproducer is too small for. */
export function replayedSpec(spec: ScenarioSpec, reproducer: Reproducer): ScenarioSpec {
  const { budget: _, topologies: __, ...rest } = spec
  return { ...rest, ...passOf(spec, reproducer).change }
}

/**
 * Passes of a reproducer, added to `runs`: until one shows the violation, at most as often as the reproducer says; then
 * again, as after any violation. `spec` is the scenario as it is declared.
 */
export async function runReproducer(
  passes: Passes,
  runs: RunRecord[],
  { spec, reproducer }: { readonly spec: ScenarioSpec; readonly reproducer: Reproducer },
): Promise<void> {
  const { seed, tries } = reproducer
  const changed = passOf(spec, reproducer)
  const perform = async (name: string, purpose: PassRequest['purpose']): Promise<RunRecord> => {
    const run = await passes.run({ name, purpose, seed, ...changed })
    runs.push(run)
    passes.ended(name, outcomeOf(run))
    return run
  }
  for (let attempt = 1; attempt <= tries && !passes.cancelled; attempt++) {
    const run = await perform(attempt === 1 ? `seed-${seed}` : `seed-${seed}-try-${attempt}`, 'seed')
    if (run.error !== null) return
    if (!run.checks.some(({ valid }) => valid === false)) continue
    for (let again = 1; again <= rerunsOf(spec) && !passes.cancelled; again++) {
      await perform(`${run.name}-rerun-${again}`, 'rerun')
    }
    return
  }
}
