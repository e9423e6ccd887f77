import type { ScenarioMeta } from '../../plugin/vitest/meta.js'
import type { ScenarioRecord } from '../../src/session/record.js'
import { regressionOf } from '../../src/verdict/regression.js'
import type { Ruling, Verdict } from '../../src/verdict/verdict.js'

/** What Vitest says of a scenario's test when it, or the run, is over. */
export interface TestFacts {
  readonly name: string
  readonly meta: ScenarioMeta
  readonly state: 'pending' | 'passed' | 'failed' | 'skipped'
  /** The note of a runtime skip, or of a cancellation. */
  readonly note: string | undefined
  /** The first line of the first error. */
  readonly error: string | undefined
  /** It had begun to run. */
  readonly started: boolean
  /** False when a pattern of names is set and this one does not match. */
  readonly selected: boolean
}

/** What is known of a scenario, whatever became of it. */
export interface Account {
  readonly name: string
  readonly claims: readonly string[]
  readonly verdict: Verdict
  readonly reason: string
  /** Empty when it rests on nothing. */
  readonly evidence: string
  /** True for a violation that is expected: the scenario is pinned to a known-bad version. */
  readonly expected: boolean
  /** True for a scenario that a filter, `.only` or the like left out: the user asked for less, and gets no complaint. */
  readonly leftOut: boolean
  /** The record to add to the session; null when the scenario has written its own. */
  readonly record: ScenarioRecord | null
}

/**
 * Accounts for a scenario: by its own result, else by the record that it left on disk, else by how its test ended.
 * None is dropped: what did not run is NOT-RUN, and what began and left no record is INCONCLUSIVE-env.
 */
export function accountFor(facts: TestFacts, recorded: ScenarioRecord | null): Account {
  const { name, meta } = facts
  const base = { name, claims: meta.claims, evidence: '', expected: false, leftOut: false, record: null }
  const resultOf = (result: RecordedResult) => ({
    verdict: result.verdict,
    reason: result.reason,
    evidence: result.evidence ?? '',
    expected: regressionOf(meta.declared.regression, result.verdict) === 'expected',
  })
  if (meta.result !== null) return { ...base, ...resultOf(meta.result) }
  if (recorded !== null) return { ...base, ...resultOf(recorded.ruling) }
  const ruling = withoutRecord(facts)
  return {
    ...base,
    verdict: ruling.verdict,
    reason: ruling.reason,
    leftOut: isLeftOut(facts),
    record: { ...meta.declared, ruling, finishedAt: new Date().toISOString() },
  }
}

interface RecordedResult {
  readonly verdict: Verdict
  readonly reason: string
  readonly evidence?: string
}

function isLeftOut({ meta, state, note, started, selected }: TestFacts): boolean {
  if (!selected) return true
  return state === 'skipped' && meta.mode === 'run' && note === undefined && !started
}

function withoutRecord({ meta, state, note, error, started, selected }: TestFacts): Ruling {
  if (state === 'pending' && started) {
    return environment('the worker ended in the middle of it: see the unhandled errors of the run')
  }
  if (state === 'pending') return notRun('the run ended before its turn came')
  if (state === 'failed') return environment(`its test failed without a verdict: ${error ?? 'no message'}`)
  if (!selected) return notRun('a filter left it out')
  if (meta.mode === 'skip') return notRun('it is declared with .skip')
  if (meta.mode === 'todo') return notRun('it is declared with .todo')
  if (note === undefined) return notRun('a filter or .only left it out')
  return started ? environment(`it was interrupted: ${note}`) : notRun(note)
}

function notRun(reason: string): Ruling {
  return { verdict: 'NOT-RUN', row: 1, reason }
}

function environment(reason: string): Ruling {
  return { verdict: 'INCONCLUSIVE-env', row: 2, reason }
}
