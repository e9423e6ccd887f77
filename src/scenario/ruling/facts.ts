import { neverHeld } from '../../properties/never-held.js'
import type { Scheduled } from '../../nemesis/schedule/record.js'
import { auditChecks } from '../../verdict/audits/catalog.js'
import { tierMetBy } from '../../verdict/tier.js'
import type { VerdictFacts } from '../../verdict/verdict.js'
import type { RunRecord, ScenarioRecord } from '../../session/record.js'

type Recorded = Pick<
  ScenarioRecord,
  'serious' | 'checkers' | 'budget' | 'runs' | 'missing' | 'sometimes' | 'across' | 'audits'
>

/** What the verdict looks at, computed from a scenario's recorded runs alone. */
export function factsOf(record: Recorded): VerdictFacts {
  const seeds = record.runs.filter((run) => run.purpose === 'seed')
  const complete = seeds.filter((run) => run.error === null)
  const violation = violationOf(record)
  return {
    attempted: record.runs.length > 0 || record.missing.length > 0,
    notAttempted: null,
    serious: record.serious,
    missing: record.missing,
    // A violation counts whatever came after it, such as a system that would not stop.
    ended: violation === null ? seeds.flatMap(endOf) : [],
    violation,
    faults: complete.flatMap((run) => faultsOf(run)),
    modelChecker: modelCheckerOf(record, complete),
    checks: [
      // Without a single answer there was nothing to judge, whatever the checker consumed.
      ...complete.flatMap(({ checks, load }) =>
        load?.ok === 0 ? checks.map((check) => ({ ...check, operations: 0 })) : checks,
      ),
      ...record.across,
    ].map((check) => ({
      checker: check.checker,
      valid: check.valid,
      reason: check.reason,
      operations: check.operations,
      coverage: check.coverage,
      misfit: record.checkers.find(({ name }) => name === check.checker)?.misfit ?? null,
    })),
    sensitivity: complete.flatMap((run) =>
      run.sensitivity.map(({ checker, mutants, killed, floor, survivors }) => ({
        checker,
        mutants,
        killed,
        floor,
        survivors: survivors.map(({ what }) => what),
      })),
    ),
    weakHistory: [...new Set(complete.flatMap(weaknessesOf))],
    tierMet: tierMetBy(record),
    seedsAgreeing: new Set(complete.map(({ seed }) => seed)).size,
    unmet: [...unmetOf(record), ...neverTrue(record, complete)],
    waived: record.audits.flatMap(({ name, result, waiver }) =>
      result === 'unmet' && waiver !== null ? [{ check: name, because: waiver }] : [],
    ),
    waivedNeedlessly: record.audits
      .filter(({ result, waiver }) => result !== 'unmet' && waiver !== null)
      .map(({ name }) => name),
  }
}

/** What the history lacks for its checkers; times of several wall clocks order nothing between processes. */
function weaknessesOf({ weak, recording }: RunRecord): readonly string[] {
  return recording.clock === 'wall'
    ? [...weak, 'operations of different processes were ordered by wall clocks, which may differ']
    : weak
}

/** Checks before a pass that are unmet and not waived; one that was not evaluated is unmet. */
function unmetOf({ audits }: Recorded): VerdictFacts['unmet'] {
  return auditChecks.flatMap(({ name, blocks, downgrade }) => {
    const audit = audits.find((one) => one.name === name)
    if (audit === undefined) return [{ check: `${name}: it was not evaluated`, blocks, downgrade }]
    if (audit.result !== 'unmet' || audit.waiver !== null) return []
    return [{ check: `${name}: ${audit.evidence[0]}`, blocks: audit.blocks, downgrade: audit.downgrade }]
  })
}

function neverTrue({ sometimes }: Recorded, complete: readonly RunRecord[]): VerdictFacts['unmet'] {
  const names = neverHeld(
    complete.map((run) => run.properties),
    sometimes,
  )
  return names.map((name) => ({
    check: `sometimes ${JSON.stringify(name)} never held`,
    blocks: 'PASS-hardening',
    downgrade: 'PARTIAL-model',
  }))
}

function endOf({ name, error, logs }: RunRecord): VerdictFacts['ended'] {
  if (error === null) return []
  const where = error.kind === 'harness' ? `the test itself failed in phase ${error.phase}` : error.phase
  const hint = error.hint ?? (logs.length > 0 ? `read ${logs.join(', ')}` : null)
  return [{ what: `${name}: ${where}: ${error.message}`, hint }]
}

function violationOf({ runs, across }: Pick<Recorded, 'runs' | 'across'>): VerdictFacts['violation'] {
  const first = runs.find((run) => run.purpose === 'seed' && violatedIn(run).length > 0)
  const check = (first?.checks ?? across).find(({ valid }) => valid === false)
  if (check === undefined) return null
  const found = first === undefined ? [check.checker] : violatedIn(first)
  const again = runs.filter(({ purpose }) => purpose === 'rerun')
  const reproduced = again.filter((run) => violatedIn(run).some((checker) => found.includes(checker)))
  return {
    summary: check.anomalies[0]?.explanation ?? `${check.checker} found a violation`,
    // One that was cut short counts when it has shown the violation before that.
    reruns: again.filter((run) => run.error === null || reproduced.includes(run)).length,
    reproduced: reproduced.length,
  }
}

/** Names of the checkers that found a violation in a run. */
function violatedIn({ checks }: RunRecord): string[] {
  return checks.filter(({ valid }) => valid === false).map(({ checker }) => checker)
}

/** Every fault that fired, and what was declared and never did. */
function faultsOf(run: RunRecord): VerdictFacts['faults'] {
  const fired = run.faults.map((window) => ({
    name: `${window.fault} ${window.target}`,
    landed: window.landed,
    cause: window.cause,
  }))
  const silent = run.schedule.flatMap(silentOf).map((one) => ({ ...one, landed: false }))
  return [...fired, ...silent]
}

/**
 * What is declared must fire at least once: a fault, a random schedule, and each kind of a random schedule that was drawn
 * and refused. How often repeated and random faults fire is not promised.
 */
function silentOf({ declared, faults }: Scheduled): readonly { name: string; cause: string }[] {
  const silent = [...new Set(faults.map(({ fault }) => fault))].flatMap((name) => {
    const drawn = faults.filter(({ fault }) => fault === name)
    const refused = drawn.some(({ id }) => id !== null) ? undefined : drawn[0]?.skipped
    return refused ? [{ name, cause: `it never fired: ${refused}` }] : []
  })
  if (silent.length > 0 || faults.length > 0) return silent
  return [{ name: declared, cause: 'it never fired: the workload ended before its time' }]
}

function modelCheckerOf(record: Recorded, runs: readonly RunRecord[]): VerdictFacts['modelChecker'] {
  const fitting = record.checkers.filter(({ misfit }) => misfit === null)
  const judges = ({ usesModel }: Recorded['checkers'][number]) => usesModel
  // One that does not fit has run as declared: that it proves nothing is another matter, and says which one would.
  const chosen = fitting.find(judges) ?? fitting[0] ?? record.checkers.find(judges)
  if (chosen === undefined) return null
  const consumed = runs.map(
    (run) => run.checks.find(({ checker }) => checker === chosen.name)?.operations ?? 0,
  )
  return { name: chosen.name, operations: consumed.length === 0 ? 0 : Math.min(...consumed) }
}
