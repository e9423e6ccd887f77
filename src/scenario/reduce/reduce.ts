import { readdir } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DeclarationError } from '../../errors.js'
import { partsOf } from '../../findings/reduction/candidate.js'
import { reproducerVersion, type Reproducer } from '../../findings/reduction/reproducer.js'
import { violationOf, type Violation } from '../../findings/violation.js'
import { sessionLayout } from '../../session/layout.js'
import { safeName } from '../../session/names.js'
import type { ScenarioRecord } from '../../session/record.js'
import type { Passes } from '../runs/passes.js'
import { groundOf } from './ground.js'
import { reduceRuns, reduceWithinMs, type ReduceOptions } from './options.js'
import { search } from './search.js'
import { Trials, type Shown } from './trials.js'
import { writeReproducer } from './write-reproducer.js'

/** Runs of what is left that tell how surely it shows the violation. */
const confirmations = 3

/** What came of a reduction. */
export interface Reduced {
  /** False when the violation did not come again: the record is then told so, or keeps what an earlier one has found. */
  readonly seen: boolean
  readonly reruns: number
}

/**
 * Makes a recorded violation small by running candidates again: fewer faults, then fewer operations. The record is told
 * what is left, the session gets the reproducer, a scenario to paste, and the run that shows it.
 *
 * Ends with the best so far when its budget is spent or the run is cancelled. Throws DeclarationError for what cannot be reduced: no violation, a body that injects and performs
 * by itself, or a declaration that has changed since.
 */
export async function reduceByReruns(
  passes: Passes,
  record: ScenarioRecord,
  options: ReduceOptions,
): Promise<Reduced> {
  const violation = reducible(passes, record)
  const { run } = violation
  const clients = passes.spec.workload?.spec.clients ?? 1
  const ground = await groundOf(passes, violation, { clients })
  const trials = new Trials(passes, {
    violation,
    first: await nextNumber(passes),
    runs: reduceRuns(options),
    withinMs: reduceWithinMs(options),
    tries: triesFor(record),
  })
  const minimal = await search({
    trials,
    ground,
    full: { kind: 'workload', clients, durationMs: run.durationMs },
    groundOf: ({ candidate, run: shown }) => {
      const check = shown.checks.find(({ checker, valid }) => checker === violation.check.checker && !valid)
      return groundOf(
        passes,
        { run: shown, check: check ?? violation.check },
        { clients, events: candidate.events },
      )
    },
  })
  const reruns = trials.runs
  const confirmed = await trials.confirm(confirmations)
  const { best } = trials
  // What an earlier reduction has found stays, whatever this one was short of.
  if (best === null && (record.reduction?.reproducer ?? null) !== null) return { seen: false, reruns }
  const from = { events: ground.events.length, operations: ground.recorded.operations.length, clients }
  const to = best === null ? from : sizeOf(best)
  record.reduction = {
    history: record.reduction?.history ?? null,
    rerun: {
      events: { from: from.events, to: to.events },
      operations: { from: from.operations, to: to.operations },
      clients: { from: from.clients, to: to.clients },
      durationMs: { from: run.durationMs, to: best?.run.durationMs ?? run.durationMs },
      reruns,
      confirmed,
      minimal,
      ms: trials.ms,
    },
    ...(best === null
      ? { reproducer: null, snippet: null }
      : await writeReproducer(passes, {
          ...reproducerOf(record, { violation, best }),
          harness: passes.harness,
        })),
  }
  if (best !== null) {
    record.runs = [...record.runs.filter(({ name }) => !isCandidate(name)), best.run]
  }
  return { seen: best !== null, reruns }
}

/** The violation to reduce. Throws DeclarationError when there is none, or it cannot be reduced by runs. */
function reducible({ spec, hasBody }: Passes, record: ScenarioRecord): Violation {
  const violation = violationOf(record)
  if (violation === null) {
    throw refused(`${record.id} is ${record.ruling.verdict}: there is no violation to reduce`, {
      hint: 'reduce a scenario that is FAIL-reproducible or FAIL-nondeterministic',
    })
  }
  if (hasBody || spec.workload === undefined) {
    throw refused(`${record.id} has a body, which injects faults and performs operations by itself`, {
      hint: 'take parts out of the body by hand; its history is made small without runs in any case',
    })
  }
  if (!violation.run.checks.includes(violation.check)) {
    throw refused(`${record.id}: ${violation.check.checker} finds its violation in all runs together`, {
      hint: 'no single run of fewer faults shows such a violation',
    })
  }
  if (violation.run.history !== null) return violation
  throw refused(`${violation.run.name} of ${record.id} has left no history`, {
    hint: 'run the scenario again',
  })
}

function refused(message: string, options: { readonly hint: string }): DeclarationError {
  return new DeclarationError('reduce', message, options)
}

/** A candidate of a violation that does not always come has more tries. */
function triesFor({ runs }: ScenarioRecord): number {
  const again = runs.filter(({ purpose }) => purpose === 'rerun')
  return again.every(({ checks }) => checks.some(({ valid }) => valid === false)) ? 2 : 3
}

function sizeOf({ candidate: { events, load }, run }: Shown) {
  if (load.kind === 'workload') {
    return { events: events.length, operations: run.load?.invoked ?? 0, clients: load.clients }
  }
  const clients = new Set(load.operations.map(({ process_id: process }) => process)).size
  return { events: events.length, operations: load.operations.length, clients }
}

function reproducerOf(
  record: ScenarioRecord,
  { violation, best }: { readonly violation: Violation; readonly best: Shown },
): Reproducer {
  const check = best.run.checks.find(
    ({ checker, valid }) => checker === violation.check.checker && valid === false,
  )
  const anomalies: NonNullable<typeof check>['anomalies'] = check?.anomalies ?? []
  return {
    reproducer: reproducerVersion,
    scenario: { id: record.id, name: record.name, location: record.location },
    system: best.run.system,
    seed: best.run.seed,
    violation: {
      checker: violation.check.checker,
      types: [...new Set(anomalies.map(({ type }) => type))],
      explanation: anomalies[0]?.explanation ?? '',
    },
    tries: triesFor(record) + 1,
    ...partsOf(best.candidate),
  }
}

const candidateName = /^reduce-(\d+)$/

function isCandidate(name: string): boolean {
  return candidateName.test(name)
}

/** After those of an earlier reduction, of which one may be kept. */
async function nextNumber({ environment: { sessionDir, name } }: Passes): Promise<number> {
  const folder = join(sessionLayout(sessionDir).artifacts, safeName(name))
  const names = existsSync(folder) ? await readdir(folder) : []
  return 1 + Math.max(0, ...names.map((one) => Number(candidateName.exec(one)?.[1] ?? 0)))
}
