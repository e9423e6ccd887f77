import type { RunRecord, ScenarioRecord } from '../../session/record.js'
import { budgetOf, rerunsOf } from '../declaration/limits.js'
import type { PassRequest, Passes } from './passes.js'
import { outcomeOf } from '../pass/pass-outcome.js'
import { rerun } from './rerun.js'
import { firstSeed } from '../declaration/seed.js'
import { passName, systemsOf } from '../declaration/topologies.js'

/**
 * One pass for every seed of the budget on every topology, added to `runs` as it ends. The first violation ends the
 * row, after more passes with its seed on the same system; so does a pass that does not go to its end. When the run is
 * cancelled between two passes the next one is on record as interrupted: what is missing is to be seen.
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
    if (!violates(run)) {
      if (run.error !== null) return
      continue
    }
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
 * How many of the passes that count for the verdict showed a violation, in words, when not all of them did, and whether
 * it is seeds, topologies or neither that tells them apart; null when they agree.
 * `Seeds disagree: 1 of 3 runs shows it (seed-44), 2 do not (seed-42, seed-43).`
 */
export function seedsDisagree({ runs }: Pick<ScenarioRecord, 'runs'>): string | null {
  const counting = runs.filter((run) => run.purpose === 'seed' && (run.error === null || violates(run)))
  const [violating, others] = [counting.filter(violates), counting.filter((run) => !violates(run))]
  if (violating.length === 0 || others.length === 0) return null
  const shown = `${violating.length} of ${counting.length} runs ${violating.length === 1 ? 'shows' : 'show'} it`
  return `${whatDisagrees(violating, others)} disagree: ${shown} (${names(violating)}), ${others.length} ${others.length === 1 ? 'does' : 'do'} not (${names(others)}).`
}

/** What runs that show a violation have not in common with those that do not. */
function whatDisagrees(violating: readonly RunRecord[], others: readonly RunRecord[]): string {
  const pairs = violating.flatMap((one) => others.map((other) => [one, other] as const))
  const seeds = pairs.some(([one, other]) => one.seed !== other.seed && one.system === other.system)
  const topologies = pairs.some(([one, other]) => one.seed === other.seed && one.system !== other.system)
  if (seeds && topologies) return 'Seeds and topologies'
  return topologies ? 'Topologies' : seeds ? 'Seeds' : 'Runs'
}

function violates({ checks }: RunRecord): boolean {
  return checks.some(({ valid }) => valid === false)
}

function names(runs: readonly RunRecord[]): string {
  return runs.map(({ name }) => name).join(', ')
}
