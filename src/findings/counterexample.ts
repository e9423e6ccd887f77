import { join } from 'node:path'
import type { Operation } from '../history/operation.js'
import { readHistory } from '../history/read.js'
import type { ScenarioRecord } from '../session/record.js'
import { proofOf, violationOf } from './violation.js'

/**
 * The operations that show a scenario's violation best (see `proofOf`), from the recorded history, in order of
 * invocation. Empty when there is no violation, or when nothing names its operations. Throws HistoryError when the history
 * is unreadable.
 */
export async function readCounterexample(
  sessionDir: string,
  record: Pick<ScenarioRecord, 'runs' | 'across' | 'reduction'>,
): Promise<readonly Operation[]> {
  const violation = violationOf(record)
  if (violation === null || violation.run.history === null) return []
  const proof = proofOf(record)
  if (proof === null) return []
  const ids = new Set(proof.operations)
  const { operations } = await readHistory(join(sessionDir, violation.run.history))
  return operations.filter((operation) => ids.has(String(operation.op_id)))
}
