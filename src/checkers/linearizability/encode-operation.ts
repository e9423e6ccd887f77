import { outcomeCode, type Columns } from '../../history/columns.js'
import type { Outcome } from '../../history/operation.js'
import type { Model, ModelOperation } from '../../models/model.js'

const outcomes: readonly Outcome[] = ['ok', 'failed', 'unknown']

/** An operation of a history as the model sees it. */
export function modelOperationAt(index: number, source: { columns: Columns; model: Model }): ModelOperation {
  return new OperationView(source).at(index)
}

/** Shows the operations of a history as the model sees them, one after the other in one object: millions cost nothing. */
export class OperationView {
  readonly #columns: Columns
  readonly #tellsProcesses: boolean
  readonly #shown: { -readonly [Field in keyof ModelOperation]: ModelOperation[Field] }

  constructor({ columns, model }: { columns: Columns; model: Model }) {
    this.#columns = columns
    this.#tellsProcesses = model.requires.includes('process_id')
    this.#shown = { type: '', key: null, input: null, output: null, outcome: 'ok' }
    if (this.#tellsProcesses) this.#shown.process = ''
  }

  /** The operation, until the next call. */
  at(index: number): ModelOperation {
    const columns = this.#columns
    const shown = this.#shown
    const outcome = columns.outcome[index] as number
    shown.type = columns.types[columns.type[index] as number] as string
    shown.key = columns.keys[columns.key[index] as number] as string | number | null
    shown.input = columns.inputAt(index)
    shown.output = outcome === outcomeCode.ok ? columns.outputAt(index) : null
    shown.outcome = outcomes[outcome] as Outcome
    if (this.#tellsProcesses) {
      shown.process = columns.processes[columns.process[index] as number] as string | number
    }
    return shown
  }
}
