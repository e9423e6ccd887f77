import { join } from 'node:path'
import type { Operation } from '../history/operation.js'
import { readHistory } from '../history/read.js'
import type { ScenarioRecord } from '../session/record.js'
import { shortestAnomaly, violationOf } from './violation.js'

/**
 * The operations of the shortest anomaly of a scenario's violation, from the recorded history, in order of invocation.
 * Empty when there is no violation, or when it names no operations. Throws HistoryError when the history is unreadable.
 */
export async function readCounterexample(
  sessionDir: string,
  record: Pick<ScenarioRecord, 'runs' | 'across'>,
): Promise<readonly Operation[]> {
  const violation = violationOf(record)
  if (violation === null || violation.run.history === null) return []
  const anomaly = shortestAnomaly(violation.check)
  if (anomaly === undefined) return []
  const ids = new Set(anomaly.operations)
  const { operations } = await readHistory(join(sessionDir, violation.run.history))
  return operations.filter((operation) => ids.has(operation.op_id))
}
