import type { Operation } from '../../../history/operation.js'
import type { Plan } from '../../../plan/plan.js'

/** What a report is rendered from besides the session's record. */
export interface ReportContext {
  /** The session directory as a reader types it. */
  readonly sessionPath: string
  /** The plan as it was when the session started; null without one. */
  readonly plan: Plan | null
  /** The operations that show each scenario's violation, by the scenario's name. */
  readonly counterexamples: ReadonlyMap<string, readonly Operation[]>
}
