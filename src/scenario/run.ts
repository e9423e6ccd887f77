import { classify } from '../findings/blame/classify.js'
import type { Classification } from '../session/classification-record.js'
import { writeFinding } from '../findings/finding.js'
import { violationOf } from '../findings/violation.js'
import { DeclarationError } from '../errors.js'
import { heal } from '../nemesis/undo/heal.js'
import type { ScenarioRecord } from '../session/record.js'
import { appendToLog, writeScenarioRecord } from '../session/session.js'
import { regressionOf } from '../verdict/regression.js'
import { auditsOf } from '../verdict/audits/audits-of.js'
import { tierMetBy } from '../verdict/tier.js'
import { judgeAcrossRuns } from './ruling/across-runs.js'
import type { ScenarioBody } from './pass/drive/body.js'
import { declaredRecord } from './declaration/declared-record.js'
import { harnessDigest } from './declaration/harness-digest.js'
import { minimiseHistory } from './reduce/minimise.js'
import { Passes, type RunEnvironment } from './runs/passes.js'
import { experimentsOn } from './runs/experiments.js'
import { rulingOn } from './ruling/ruling.js'
import { reduceByReruns } from './reduce/reduce.js'
import { lastFailedAt, lostInWords } from './ruling/regression.js'
import { changedSinceReproducer, replayedSpec, runReproducer } from './reduce/replay.js'
import { runSeeds, seedsDisagree } from './runs/seeds.js'
import type { ScenarioSpec } from './spec.js'
import { systemsOf } from './declaration/topologies.js'

/**
 * Runs a scenario: one pass for every seed of the budget, on a violation more with the same seed, then the verdict.
 *
 * The record, the finding and the log are in the session directory when it resolves. It does not throw for verdicts,
 * nor for what goes wrong in the system or the test: see `ruling` and `runs[].error`.
 */
export async function runScenario(
  declared: ScenarioSpec,
  body: ScenarioBody | undefined,
  environment: RunEnvironment,
): Promise<ScenarioRecord> {
  const { name, location, tier, reproducer } = environment
  const spec = reproducer === undefined ? declared : replayedSpec(declared, reproducer)
  const record = declaredRecord(spec, { name, location, tier })
  record.harness = harnessDigest({ spec, body, tier })
  await healLeftovers(environment.sessionDir)
  record.missing = await missingOf(spec)
  const passes = new Passes(spec, body, environment)
  if (reproducer !== undefined) {
    const changed = changedSinceReproducer(new Passes(declared, body, environment), reproducer)
    if (changed.length > 0)
      record.notes.push(`it has changed since the reproducer was made: ${changed.join(', ')}`)
  }
  if (record.missing.length === 0) {
    await (reproducer === undefined
      ? runSeeds(passes, record.runs)
      : runReproducer(passes, record.runs, { spec: declared, reproducer }))
  }
  const disagreement = seedsDisagree(record)
  if (disagreement !== null) record.notes.push(disagreement)
  record.across = judgeAcrossRuns(spec, record.runs)
  if (reproducer === undefined) record.classification = await classified(passes, record)
  const history = await minimiseHistory(passes, record)
  if (history !== null) record.reduction = { history, rerun: null, reproducer: null, snippet: null }
  record.tierMet = tierMetBy(record)
  record.audits = auditsOf(record, spec.waive)
  record.ruling = rulingOn(record)
  await pinned(environment.sessionDir, record)
  if (reproducer === undefined) await reduced(passes, record)
  await recorded(environment.sessionDir, record)
  return record
}

async function recorded(sessionDir: string, record: ScenarioRecord): Promise<void> {
  record.finishedAt = new Date().toISOString()
  await writeScenarioRecord(sessionDir, record)
  await writeFinding(sessionDir, record)
}

/** Reduces a violation at once where the scenario asks for it; what cannot be reduced is noted. */
async function reduced(passes: Passes, record: ScenarioRecord): Promise<void> {
  const { reduce } = passes.spec
  if (reduce === undefined || violationOf(record) === null || passes.cancelled) return
  // It takes long, and whoever ends the process meanwhile is not to lose what was found.
  await recorded(passes.environment.sessionDir, record)
  try {
    await reduceByReruns(passes, record, reduce)
  } catch (error) {
    if (!(error instanceof DeclarationError)) throw error
    record.notes.push(`it was not reduced: ${error.summary}`)
  }
}

/** Tells a scenario that is pinned to a known-bad version when it last failed, and that it does not any more. */
async function pinned(sessionDir: string, record: ScenarioRecord): Promise<void> {
  if (record.regression === null) return
  record.regression.lastFailedAt = await lastFailedAt(sessionDir, record)
  if (regressionOf(record.regression, record.ruling.verdict) === 'lost')
    record.notes.push(lostInWords(record))
}

/** Whose a violation is, or a checker that broke; null when there is nothing to blame. */
async function classified(passes: Passes, record: ScenarioRecord): Promise<Classification | null> {
  const experiments = await experimentsOn(passes, record)
  return experiments.length === 0 ? null : classify(record, experiments, passes.spec.finding)
}

/** What this machine lacks for any of the scenario's systems, each thing once. */
async function missingOf(spec: ScenarioSpec): Promise<ScenarioRecord['missing']> {
  const all = await Promise.all(systemsOf(spec).map((system) => system.spec.nodes.missing()))
  return [...new Map(all.flat().map((missing) => [missing.what, missing])).values()]
}

/** Takes back what a run that died left behind, before this one builds on the same machine. */
async function healLeftovers(sessionDir: string): Promise<void> {
  const { entries } = await heal()
  for (const { undone, detail } of entries) {
    appendToLog(sessionDir, `left by an earlier run, ${undone ? 'undone' : 'not undone'}: ${detail}`)
  }
}
