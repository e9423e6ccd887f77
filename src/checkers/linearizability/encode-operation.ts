import { outcomeCode, type Columns } from '../../history/columns.js'
import type { Outcome } from '../../history/operation.js'
import type { Model, ModelOperation } from '../../models/model.js'

const outcomes: readonly Outcome[] = ['ok', 'failed', 'unknown']

/** An operation of a history as the model sees it. */
export function modelOperationAt(
  index: number,
  { columns, model }: { columns: Columns; model: Model },
): ModelOperation {
  const outcome = columns.outcome[index] as number
  const seen: ModelOperation = {
    type: columns.types[columns.type[index] as number] as string,
    key: columns.keys[columns.key[index] as number] as string | number | null,
    input: columns.inputAt(index),
    output: outcome === outcomeCode.ok ? columns.outputAt(index) : null,
    outcome: outcomes[outcome] as Outcome,
  }
  if (model.requires.length === 0 || !model.requires.includes('process_id')) return seen
  return { ...seen, process: columns.processes[columns.process[index] as number] as string | number }
}
