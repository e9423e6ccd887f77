import { readdir } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DeclarationError } from '../../errors.js'
import { reproducerVersion, type Reproducer } from '../../findings/reduction/reproducer.js'
import { partsOf, type Candidate } from '../../findings/reduction/candidate.js'
import { violationOf, type Violation } from '../../findings/violation.js'
import { readHistory } from '../../history/read.js'
import { sessionLayout } from '../../session/layout.js'
import { safeName } from '../../session/names.js'
import type { RunRecord, ScenarioRecord } from '../../session/record.js'
import type { Passes } from '../runs/passes.js'
import type { ScenarioSpec } from '../spec.js'
import { groundOf } from './ground.js'
import { reduceRuns, reduceWithinMs, type ReduceOptions } from './options.js'
import { search } from './search.js'
import { injectionsOf, searchBody } from './search-body.js'
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
 * Ends with the best so far when its budget is spent or the run is cancelled. Of a scenario with a
 * body the faults are reduced, and its operations are what they are. Throws DeclarationError for what cannot be reduced: no
 * violation, one that the body itself asserts, or a declaration whose faults have changed since.
 */
export async function reduceByReruns(
  passes: Passes,
  record: ScenarioRecord,
  options: ReduceOptions,
): Promise<Reduced> {
  const violation = reducible(passes, record)
  const { run } = violation
  const clients = passes.spec.workload?.spec.clients ?? run.nodes.length
  const trials = new Trials(passes, {
    violation,
    first: await nextNumber(passes),
    runs: reduceRuns(options),
    withinMs: reduceWithinMs(options),
    tries: triesFor(record),
  })
  const minimal = passes.hasBody
    ? await searchBody(trials, injectionsOf(run))
    : await searchWorkload(passes, trials, { violation, clients })
  const reruns = trials.runs
  const confirmed = await trials.confirm(confirmations)
  const { best } = trials
  // What an earlier reduction has found stays, whatever this one was short of.
  if (best === null && (record.reduction?.reproducer ?? null) !== null) return { seen: false, reruns }
  const from = await sizeOf(passes, { run, clients })
  const to = best === null ? from : await sizeOf(passes, { ...best, clients })
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
    record.notes = [...record.notes.filter((note) => !note.startsWith(withoutInjections)), ...leftOutOf(best)]
    record.runs = [...record.runs.filter(({ name }) => !isCandidate(name)), best.run]
  }
  return { seen: best !== null, reruns }
}

/** The violation to reduce. Throws DeclarationError when there is none, or it cannot be reduced by runs. */
function reducible({ spec, hasBody }: Passes, record: ScenarioRecord): Violation {
  const found = violationOf(record)
  if (found === null) {
    throw refused(`${record.id} is ${record.ruling.verdict}: there is no violation to reduce`, {
      hint: 'reduce a scenario that is FAIL-reproducible or FAIL-nondeterministic',
    })
  }
  if (!found.run.checks.includes(found.check)) {
    throw refused(`${record.id}: ${found.check.checker} finds its violation in all runs together`, {
      hint: 'no single run of fewer faults shows such a violation',
    })
  }
  const violation = hasBody ? ofBody(spec, record, found.run) : found
  if (violation.run.history !== null) return violation
  throw refused(`${violation.run.name} of ${record.id} has left no history`, {
    hint: 'run the scenario again',
  })
}

/** A body is run whole: what can be left out are its faults, and what judges must not be the body itself. */
function ofBody({ checkers }: ScenarioSpec, { id }: ScenarioRecord, run: RunRecord): Violation {
  const declared = new Set(checkers.map(({ name }) => name))
  const check = run.checks.find(({ checker, valid }) => valid === false && declared.has(checker))
  if (check === undefined) {
    throw refused(`${id}: its violation is an assertion, which may fail for no more than want of a fault`, {
      hint: 'take faults out of the body by hand, or let a checker judge what it performs',
    })
  }
  if (injectionsOf(run).length > 0) return { run, check }
  throw refused(`${id} has a body that injected no fault in ${run.name}`, {
    hint: 'take parts out of the body by hand; its history is made small without runs in any case',
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

async function searchWorkload(
  passes: Passes,
  trials: Trials,
  { violation, clients }: { readonly violation: Violation; readonly clients: number },
): Promise<boolean> {
  return search({
    trials,
    ground: await groundOf(passes, violation, { clients }),
    full: { kind: 'workload', clients, durationMs: violation.run.durationMs },
    groundOf: ({ candidate, run: shown }) => {
      const check = shown.checks.find(({ checker, valid }) => checker === violation.check.checker && !valid)
      return groundOf(
        passes,
        { run: shown, check: check ?? violation.check },
        { clients, events: candidate.events },
      )
    },
  })
}

/** How much a run, or the candidate that it is one of, takes: faults, operations, and clients that perform them. */
async function sizeOf(
  { environment }: Passes,
  {
    run,
    clients,
    candidate,
  }: { readonly run: RunRecord; readonly clients: number; readonly candidate?: Candidate },
) {
  const file = join(environment.sessionDir, run.history ?? '')
  const { operations } = await readHistory(file, { allowEmpty: true })
  const size = { events: run.faults.length, operations: operations.length, clients }
  if (candidate === undefined || candidate.load.kind === 'body') return size
  const { events, load } = candidate
  if (load.kind === 'workload') return { ...size, events: events.length, clients: load.clients }
  return {
    events: events.length,
    operations: load.operations.length,
    clients: new Set(load.operations.map(({ process_id: process }) => process)).size,
  }
}

const withoutInjections = 'the violation comes without '

/** Which calls of a body put nothing in, for its author to take them out. */
function leftOutOf({ candidate: { load } }: Shown): string[] {
  if (load.kind !== 'body' || load.leftOut.length === 0) return []
  const calls = load.leftOut.map((call) => call + 1).join(', ')
  const which = load.leftOut.length === 1 ? `fault ${calls}` : `faults ${calls}`
  return [`${withoutInjections}${which} of the ${load.injected} that its body injects`]
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
