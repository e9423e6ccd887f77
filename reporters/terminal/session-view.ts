import type { Progress } from '../../src/scenario/runs/progress.js'
import type { ScenarioRecord } from '../../src/session/record.js'
import type { SessionVerdict } from '../../src/verdict/session.js'

/** What the terminal shows when a session ends. */
export interface SessionSummary {
  readonly verdict: SessionVerdict
  readonly scenarios: readonly ScenarioRecord[]
  /** Absolute path of `findings/report.md`. */
  readonly report: string
  /** What the author of the scenarios should mend, a sentence each. */
  readonly remarks: readonly string[]
}

/** The sessions of one test runner, as its reporter drives them. */
export interface SessionView {
  readonly gate: 'default' | 'strict'
  /** A test run starts: scenarios of it get a session directory of their own. */
  begin(): Promise<void>
  onProgress(listener: (progress: Progress) => void): void
  /** Whether the scenario behind this test has begun to run in the current session. */
  hasStarted(task: string): boolean
  /** What a scenario of the current session has recorded so far; null when there is nothing. */
  recordOf(scenario: string): Promise<ScenarioRecord | null>
  /**
   * The run is over: adds the records of scenarios that left none themselves, and writes the report.
   * Null when no scenario ran, so that there is no session.
   */
  finish(records: readonly ScenarioRecord[]): Promise<SessionSummary | null>
}
