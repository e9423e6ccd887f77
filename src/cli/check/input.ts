import type { CheckInput } from '../../checkers/checker.js'
import type { ColumnHistory } from '../../history/read.js'
import type { Operation } from '../../history/operation.js'
import type { Model } from '../../models/model.js'

/** What a check may spend on one history. */
export interface Limits {
  readonly timeoutMs: number
  readonly memoryMb: number | undefined
}

interface InputOptions {
  readonly model: Model | null
  readonly limits: Limits
  readonly verdictOnly?: boolean
  readonly onProgress?: CheckInput['onProgress'] | undefined
}

/** What a checker gets of a history that was read. Its operations are made only for checkers that ask for them. */
export function checkInput(
  { columns, faults }: ColumnHistory,
  { model, limits, verdictOnly = false, onProgress }: InputOptions,
): CheckInput {
  let operations: readonly Operation[] | undefined
  return {
    columns,
    get operations() {
      operations ??= Array.from({ length: columns.count }, (_, index) => columns.operationAt(index))
      return operations
    },
    model,
    collected: null,
    faults,
    verdictOnly,
    timeoutMs: limits.timeoutMs,
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(limits.memoryMb === undefined ? {} : { memoryMb: limits.memoryMb }),
  }
}
