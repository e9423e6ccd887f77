import type { FaultWindow } from '../../src/nemesis/evidence.js'
import type { RunRecord, ScenarioRecord } from '../../src/session/record.js'
import { faultWindow, runRecord, scenarioRecord } from '../session/records.js'

const service = { from_ts: 0, to_ts: 5e9, operations: 940, okShare: 0.99, rate: 188, p99: 9 }

/** A fault in one direction that landed, and that operations met. */
export const oneWay: FaultWindow = faultWindow({ fault: 'asymmetric-partition', target: 'n1 -> n2' })

/** A run of the length of a hardening budget, of which nothing bad can be said. */
export function hardenedRun(changes: Partial<RunRecord> = {}): RunRecord {
  const load = { ...runRecord().load!, slices: [slice(0), slice(1), slice(2)] }
  return runRecord({
    durationMs: 30_000,
    load,
    faults: [oneWay],
    nominal: { before: service, after: { ...service, rate: 180 } },
    logScan: { files: 3, lines: 900, matches: [], unread: [] },
    host: { watched: ['/proc/stat', 'clocks'], unwatched: [], signals: [] },
    ...changes,
  })
}

/** A third of such a run, in which operations were invoked. */
export function slice(
  index: number,
  changes: Partial<NonNullable<RunRecord['load']>['slices'][number]> = {},
) {
  return {
    fromMs: 10_000 * index,
    toMs: 10_000 * (index + 1),
    intended: null,
    invoked: 313,
    ok: 300,
    failed: 3,
    unknown: 10,
    ...changes,
  }
}

/** Three such runs, with seeds 42, 43 and 44. */
export function hardenedRuns(changes: Partial<RunRecord> = {}): RunRecord[] {
  return [42, 43, 44].map((seed) => hardenedRun({ seed, name: `seed-${seed}`, ...changes }))
}

/** A scenario that deserves PASS-hardening; its audits are not evaluated yet. */
export function hardenedRecord(changes: Partial<ScenarioRecord> = {}): ScenarioRecord {
  return scenarioRecord({
    budget: {
      smoke: { duration: '5s', nodes: 3, faults: 1, seeds: 1 },
      hardening: { duration: '30s', nodes: 3, faults: 3, seeds: 3 },
    },
    harness: '3f9a',
    tierAttempted: 'hardening',
    tierMet: 'hardening',
    runs: hardenedRuns(),
    ...changes,
  })
}
