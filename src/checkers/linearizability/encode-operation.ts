import { outcomeCode, type Columns } from '../../history/columns.js'
import type { Model, ModelOperation } from '../../models/model.js'

/** An operation of a history as the model sees it. */
export function modelOperationAt(
  index: number,
  { columns, model }: { columns: Columns; model: Model },
): ModelOperation {
  const outcome = columns.outcome[index]
  const seen: ModelOperation = {
    type: columns.types[columns.type[index] as number] as string,
    key: columns.keys[columns.key[index] as number] as string | number | null,
    input: columns.inputAt(index),
    output: outcome === outcomeCode.ok ? columns.outputAt(index) : null,
    outcome: outcome === outcomeCode.ok ? 'ok' : outcome === outcomeCode.failed ? 'failed' : 'unknown',
  }
  if (!model.requires.includes('process_id')) return seen
  return { ...seen, process: columns.processes[columns.process[index] as number] as string | number }
}
