import { join } from 'node:path'
import type { Operation } from '../history/operation.js'
import { readHistory } from '../history/read.js'
import type { ScenarioRecord } from '../session/record.js'
import { violationOf } from './violation.js'

/**
 * The operations that show a scenario's violation, from the recorded history, in order of invocation.
 * Empty when there is no violation, or when it names no operations. Throws HistoryError when the history is unreadable.
 */
export async function readCounterexample(
  sessionDir: string,
  record: Pick<ScenarioRecord, 'runs'>,
): Promise<readonly Operation[]> {
  const violation = violationOf(record)
  if (violation === null || violation.run.history === null) return []
  const ids = new Set(violation.check.anomalies.flatMap((anomaly) => anomaly.operations))
  if (ids.size === 0) return []
  const { operations } = await readHistory(join(sessionDir, violation.run.history))
  return operations.filter((operation) => ids.has(operation.op_id))
}
