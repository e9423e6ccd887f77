import type { Category } from '../../../src/claim/claim.js'
import type { RunRecord, ScenarioRecord } from '../../../src/session/record.js'
import { faultWindow } from '../../session/records.js'
import { hardenedRecord, hardenedRun, hardenedRuns, slice } from '../hardened.js'

/** Why a recorded session meets a check or not, and the words that its evidence must have. */
export type Session = readonly [title: string, record: ScenarioRecord, evidence: RegExp]

export interface Sessions {
  readonly met: readonly Session[]
  readonly unmet: readonly Session[]
  readonly notApplicable: readonly Session[]
}

export const green = hardenedRecord()
export const runs = (changes: Partial<RunRecord>) => hardenedRecord({ runs: hardenedRuns(changes) })
export const {
  load,
  checks: [check],
} = hardenedRun() as RunRecord & { load: NonNullable<RunRecord['load']> }
export const claims = (categories: Category[], anySize = false) =>
  green.claims.map((claim) => ({ ...claim, categories, anySize }))

/** As declared, and as it answered in every run. */
export function judgedBy(
  name: string,
  pattern: number,
  { evidence = {}, ...changes }: Partial<ScenarioRecord> & { evidence?: Record<string, number> } = {},
): ScenarioRecord {
  return hardenedRecord({
    checkers: [{ name, pattern, scope: [], usesModel: false, misfit: null }],
    runs: hardenedRuns({ checks: [{ ...check!, checker: name, evidence }] }),
    ...changes,
  })
}

export const kill = faultWindow({ fault: 'kill', target: 'n1' })
export const declared = (fault: string, id: string | null = 'F1') => ({
  declared: fault,
  faults: [{ fault, afterMs: 0, forMs: null, id, drawn: [], skipped: null, recoveredMs: null }],
})
export const noFaults = runs({ faults: [], schedule: [] })
export const silent = { overlapping: 90, exposed: 40, ok: 40, failed: 0, unknown: 0 }
export const service = { from_ts: 0, to_ts: 5e9, operations: 940, okShare: 0.99, rate: 188, p99: 9 }
export const host = { watched: ['clocks'], unwatched: [], signals: [] }
export const stepped = {
  kind: 'clock-step' as const,
  from_ts: 1,
  to_ts: 2,
  detail: 'the clock was set back by 900 ms',
}
export const match = {
  pattern: 'panic',
  file: 'logs/n1.log',
  line: 7,
  text: 'panic: index',
  count: 2,
  ignored: null,
}
export const negative = {
  name: 'other tenant',
  kind: 'negative' as const,
  held: true,
  detail: '403, in the audit log',
}
export const boundary = (arms: readonly (readonly [string, string])[]): ScenarioRecord['boundary'] => ({
  matrix: {} as NonNullable<ScenarioRecord['boundary']>['matrix'],
  arms: arms.map(([name, surface]) => ({ name, surfaces: [surface] })),
})

/** A load of two slices, of which the second was idle. */
export const idleFor = (idleMs: number, ofMs: number) => ({
  ...load,
  slices: [
    slice(0, { fromMs: 0, toMs: ofMs - idleMs }),
    slice(1, { fromMs: ofMs - idleMs, toMs: ofMs, invoked: 0, ok: 0, failed: 0, unknown: 0 }),
  ],
})
