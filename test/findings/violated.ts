import type { Operation } from '../../src/history/operation.js'
import type { ScenarioRecord } from '../../src/session/record.js'
import { runRecord, scenarioRecord } from '../session/records.js'

const operation: Operation = {
  op_id: 7,
  process_id: 0,
  invoke_ts: 1_100_000_000,
  complete_ts: 1_101_000_000,
  op_type: 'write',
  key: 'k0',
  input: 4,
  output: null,
  error: null,
  timeout_marker: false,
  node_seen: 'n1',
  fault_epoch: 'F1',
}

/** Write 4 acknowledged; an unanswered write; then a read of the value from before. */
export const history: Operation[] = [
  operation,
  {
    ...operation,
    op_id: 8,
    process_id: 1,
    input: 5,
    complete_ts: null,
    timeout_marker: true,
    error: 'timeout after 1 s',
  },
  {
    ...operation,
    op_id: 9,
    process_id: 2,
    op_type: 'read',
    input: null,
    output: 3,
    invoke_ts: 1_200_000_000,
    complete_ts: 1_201_500_000,
    node_seen: 'n2',
  },
  { ...operation, op_id: 10, invoke_ts: 1_300_000_000, complete_ts: 1_301_000_000, input: 6 },
]

/** A scenario whose history violated its claim, seen again in both re-runs. */
export function violated(history: string | null, changes: Partial<ScenarioRecord> = {}): ScenarioRecord {
  const [check] = runRecord().checks
  if (check === undefined) throw new Error('the sample run has a check')
  const explanation = 'read 3 by process 2, after 4 | 5 was acknowledged'
  const anomalies = [
    { type: 'lost write', explanation: 'write 6 is nowhere', operations: [7, 8, 10] },
    { type: 'stale read', explanation, operations: [7, 9] },
  ]
  const checks = [{ ...check, valid: false, anomalies }]
  const run = runRecord({ history, checks })
  return scenarioRecord({
    id: 'S2',
    name: 'stale_reads_when_one_replica_answers',
    ruling: {
      verdict: 'FAIL-reproducible',
      row: 3,
      reason: `${explanation}. Seen again in 2 of 2 re-runs with the same seed.`,
    },
    runs: [
      run,
      { ...run, name: 'seed-42-rerun-1', purpose: 'rerun' },
      { ...run, name: 'seed-42-rerun-2', purpose: 'rerun' },
    ],
    ...changes,
  })
}
