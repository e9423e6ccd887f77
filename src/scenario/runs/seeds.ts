import type { RunRecord, ScenarioRecord } from '../../session/record.js'
import { budgetOf, rerunsOf } from '../declaration/limits.js'
import type { PassRequest, Passes } from './passes.js'
import { outcomeOf } from '../pass/pass-outcome.js'
import { rerun } from './rerun.js'
import { firstSeed } from '../declaration/seed.js'
import { passName, systemsOf } from '../declaration/topologies.js'

/**
 * One pass for every seed of the budget on every topology, added to `runs` as it ends. The first violation ends the
 * row, after more passes with its seed on the same system; so does a pass that does not go to its end, and a cancelled
 * run.
 */
export async function runSeeds(passes: Passes, runs: RunRecord[]): Promise<void> {
  const planned = plannedPasses(passes)
  const perform = async (request: PassRequest, original?: RunRecord): Promise<RunRecord> => {
    const run = original === undefined ? await passes.run(request) : await rerun(passes, original, request)
    runs.push(run)
    // The line of the scenario itself says as much of a single pass.
    if (planned.length > 1 || run.purpose === 'rerun') passes.ended(run.name, outcomeOf(run))
    return run
  }
  for (const request of planned) {
    const run = await perform(request)
    if (passes.cancelled || run.error !== null) return
    if (!violates(run)) continue
    for (let again = 1; again <= rerunsOf(passes.spec) && !passes.cancelled; again++) {
      await perform({ ...request, name: `${request.name}-rerun-${again}` }, run)
    }
    return
  }
}

function plannedPasses({ spec, environment }: Passes): PassRequest[] {
  const first = firstSeed(spec, environment.name)
  const seeds = budgetOf(spec, environment.tier)?.seeds ?? 1
  return Array.from({ length: seeds }, (_, index) => first + index).flatMap((seed) =>
    systemsOf(spec).map((system) => ({
      name: passName(spec, system, seed),
      purpose: 'seed' as const,
      seed,
      change: { system },
    })),
  )
}

/**
 * How many of the passes with seeds of their own showed a violation, in words, when not all of them did; null when they
 * agree. `Seeds disagree: 1 of 3 runs shows it (seed-44), 2 do not (seed-42, seed-43).`
 */
export function seedsDisagree({ runs }: Pick<ScenarioRecord, 'runs'>): string | null {
  const complete = runs.filter(({ purpose, error }) => purpose === 'seed' && error === null)
  const [violating, others] = [complete.filter(violates), complete.filter((run) => !violates(run))]
  if (violating.length === 0 || others.length === 0) return null
  const shown = `${violating.length} of ${complete.length} runs ${violating.length === 1 ? 'shows' : 'show'} it`
  return `Seeds disagree: ${shown} (${names(violating)}), ${others.length} ${others.length === 1 ? 'does' : 'do'} not (${names(others)}).`
}

function violates({ checks }: RunRecord): boolean {
  return checks.some(({ valid }) => valid === false)
}

function names(runs: readonly RunRecord[]): string {
  return runs.map(({ name }) => name).join(', ')
}
