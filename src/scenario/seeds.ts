import type { RunRecord } from '../session/record.js'
import { budgetOf, rerunsOf } from './limits.js'
import type { Passes } from './passes.js'
import { firstSeed } from './seed.js'

/**
 * One pass for every seed of the budget, added to `runs` as it ends. The first violation ends the row, after more
 * passes with its seed; so does a pass that does not go to its end, and a cancelled run.
 */
export async function runSeeds(passes: Passes, runs: RunRecord[]): Promise<void> {
  const { spec, environment } = passes
  const first = firstSeed(spec, environment.name)
  const seeds = budgetOf(spec, environment.tier)?.seeds ?? 1
  for (let index = 0; index < seeds; index++) {
    const seed = first + index
    const run = await passes.run({ name: `seed-${seed}`, purpose: 'seed', seed })
    runs.push(run)
    if (passes.cancelled || run.error !== null) return
    if (!run.checks.some(({ valid }) => valid === false)) continue
    for (let again = 1; again <= rerunsOf(spec) && !passes.cancelled; again++) {
      runs.push(await passes.run({ name: `seed-${seed}-rerun-${again}`, purpose: 'rerun', seed }))
    }
    return
  }
}
