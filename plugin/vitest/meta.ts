import type { ScenarioRecord } from '../../src/session/record.js'
import type { Verdict } from '../../src/verdict/verdict.js'

/** What a scenario leaves in `task.meta` for reporters. Plain JSON: it crosses workers and blob files. */
export interface ScenarioMeta {
  readonly id: string
  /** Ids of the claims that it falsifies. */
  readonly claims: readonly string[]
  /** How it was declared, to tell `.skip` and `.todo` from what a filter left out. */
  readonly mode: 'run' | 'skip' | 'todo'
  /** The record of a scenario that has not run. */
  readonly declared: ScenarioRecord
  /** Null until it has run. */
  readonly result: ScenarioResult | null
}

export interface ScenarioResult {
  readonly verdict: Verdict
  readonly reason: string
  /** What the verdict rests on, in a few words. */
  readonly evidence: string
  /** The session directory, absolute. */
  readonly session: string
}

declare module 'vitest' {
  interface TaskMeta {
    nemesis?: ScenarioMeta
  }
}
