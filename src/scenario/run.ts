import { writeFinding } from '../findings/finding.js'
import { heal } from '../nemesis/undo/heal.js'
import { safeName } from '../session/names.js'
import type { RunRecord, ScenarioRecord } from '../session/record.js'
import { appendToLog, writeScenarioRecord } from '../session/session.js'
import { decide } from '../verdict/decide.js'
import { judgeAcrossRuns } from './across-runs.js'
import type { ScenarioBody } from './body.js'
import { declaredRecord } from './declared-record.js'
import { factsOf, tierMetBy } from './facts.js'
import { bodyLimitMs, budgetOf, reruns, workloadMs } from './limits.js'
import { passPaths, runPass } from './pass.js'
import { progressOf, type Progress } from './progress.js'
import type { Tier } from '../verdict/budget.js'
import { firstSeed } from './seed.js'
import type { ScenarioSpec } from './spec.js'

/** Where and how a scenario runs. */
export interface RunEnvironment {
  readonly name: string
  /** `file:line` of the declaration, relative to the project's root. */
  readonly location: string | null
  readonly sessionDir: string
  readonly tier: Tier
  readonly signal: AbortSignal
  progress(progress: Progress): void
}

/**
 * Runs a scenario: one pass for every seed of the budget, on a violation two more with the same seed, then the verdict.
 *
 * The record, the finding and the log are in the session directory when it resolves. It does not throw for verdicts,
 * nor for what goes wrong in the system or the test: see `ruling` and `runs[].error`.
 */
export async function runScenario(
  spec: ScenarioSpec,
  body: ScenarioBody | undefined,
  environment: RunEnvironment,
): Promise<ScenarioRecord> {
  const { name, location, tier } = environment
  const record = declaredRecord(spec, { name, location, tier })
  await healLeftovers(environment.sessionDir)
  record.missing = [...(await spec.system.spec.nodes.missing())]
  if (record.missing.length === 0) await runPasses(spec, body, environment, record)
  record.across = judgeAcrossRuns(spec, record.runs)
  record.tierMet = tierMetBy(record)
  record.ruling = decide(factsOf(record))
  record.finishedAt = new Date().toISOString()
  await writeScenarioRecord(environment.sessionDir, record)
  await writeFinding(environment.sessionDir, record)
  return record
}

async function runPasses(
  spec: ScenarioSpec,
  body: ScenarioBody | undefined,
  environment: RunEnvironment,
  record: ScenarioRecord,
): Promise<void> {
  const first = firstSeed(spec, environment.name)
  const pass = async (name: string, purpose: RunRecord['purpose'], seed: number) => {
    const run = await runPass({
      spec,
      body,
      name,
      purpose,
      seed,
      durationMs: workloadMs(spec, environment.tier),
      bodyLimitMs,
      sessionDir: environment.sessionDir,
      paths: passPaths(environment.sessionDir, safeName(environment.name), name),
      signal: environment.signal,
      log: (message) => appendToLog(environment.sessionDir, `${environment.name} [${name}] ${message}`),
      ...progressOf(environment, name),
    })
    record.runs.push(run)
    return run
  }
  const seeds = budgetOf(spec, environment.tier)?.seeds ?? 1
  for (let index = 0; index < seeds; index++) {
    const run = await pass(`seed-${first + index}`, 'seed', first + index)
    if (environment.signal.aborted || run.error !== null) return
    if (!run.checks.some(({ valid }) => valid === false)) continue
    for (let again = 1; again <= reruns && !environment.signal.aborted; again++) {
      await pass(`seed-${first + index}-rerun-${again}`, 'rerun', first + index)
    }
    return
  }
}

/** Takes back what a run that died left behind, before this one builds on the same machine. */
async function healLeftovers(sessionDir: string): Promise<void> {
  const { entries } = await heal()
  for (const { undone, detail } of entries) {
    appendToLog(sessionDir, `left by an earlier run, ${undone ? 'undone' : 'not undone'}: ${detail}`)
  }
}
