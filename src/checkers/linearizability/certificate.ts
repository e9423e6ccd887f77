import { outcomeCode, type Columns } from '../../history/columns.js'
import { canonical } from '../../models/canonical.js'
import { describeValue } from '../../models/describe.js'
import type { Model } from '../../models/model.js'
import type { Anomaly } from '../checker.js'
import type { Pacer } from '../pacer.js'
import { modelOperationAt } from './encode-operation.js'
import type { Encoded } from './encode.js'
import type { Part, Violation } from './part.js'
import { prepare } from './prepare.js'
import { settle } from './settle.js'

/** What a certificate is told and checked with. */
export interface Telling {
  readonly encoded: Encoded
  readonly columns: Columns
  readonly model: Model
  readonly pacer: Pacer
}

/**
 * Checks by the plain search that the few operations of a violation allow no order by themselves. `refuted` when they
 * do, which would be a mistake of the exact checker; `open` when a bounded search does not tell.
 */
export async function recheck(
  part: Part,
  violation: Violation,
  { columns, model, pacer }: Telling,
): Promise<'holds' | 'refuted' | 'open'> {
  const operations = violation.operations.map((index) => columns.operationAt(part.source[index] as number))
  const { partitions } = prepare(operations, model)
  let isOpen = false
  for (const { key, calls } of partitions) {
    const outcome = await settle(calls, { key, model, pacer })
    if (outcome === 'not-linearizable') return 'holds'
    if (outcome === 'open') isOpen = true
  }
  return isOpen ? 'open' : 'refuted'
}

/** A violation that an exact checker found, as an anomaly with ids and words. */
export function anomalyOf(part: Part, violation: Violation, telling: Telling): Anomaly {
  const { columns, encoded, model } = telling
  const values = encoded.valuesOf(part)
  const sources = violation.operations.map((index) => part.source[index] as number)
  const text = violation.explain({
    tell: (index) => tellOperation(part.source[index] as number, { columns, model }),
    value: (id) => describeValue(values[id] ?? null),
  })
  const where = part.key === null ? '' : `Key ${JSON.stringify(part.key)}: `
  return {
    type: violation.type,
    explanation: `${where}${text}${failedWriteHint(part, sources, telling)}`,
    operations: sources.map((source) => columns.idAt(source)),
  }
}

/** A value that nobody wrote but in an operation marked failed: that is most often a timeout recorded as a failure. */
function failedWriteHint(part: Part, sources: readonly number[], { columns }: Telling): string {
  const keyId = columns.key[part.source[0] as number]
  const failed: number[] = []
  for (let index = 0; index < columns.count; index += 1) {
    if (columns.outcome[index] === outcomeCode.failed && columns.key[index] === keyId) failed.push(index)
  }
  for (const source of failed.length === 0 ? [] : sources) {
    const seen = columns.outcome[source] === outcomeCode.ok ? columns.outputAt(source) : null
    if (seen === null) continue
    const value = canonical(seen)
    const hasValue = (index: number) => canonical(columns.inputAt(index)) === value
    const would = failed.find(hasValue)
    if (would === undefined || part.source.some(hasValue)) continue
    const { op_id: id, error } = columns.operationAt(would)
    return ` Operation ${JSON.stringify(id)} would have written ${describeValue(seen)} but is recorded as failed (${error}): was that a timeout, whose outcome is unknown?`
  }
  return ''
}

/** `write(1) (operation 17 by process 3, 0.931 s to 0.940 s)`. */
export function tellOperation(index: number, { columns, model }: { columns: Columns; model: Model }): string {
  const end = columns.completedAt(index)
  const process = JSON.stringify(columns.processes[columns.process[index] as number])
  const call = model.describeOperation({ ...modelOperationAt(index, { columns, model }), key: null })
  const from = tellTime(columns.invokedAt(index), columns)
  const span = end === null ? `from ${from}, never answered` : `${from} to ${tellTime(end, columns)}`
  return `${call} (operation ${JSON.stringify(columns.idAt(index))} by process ${process}, ${span})`
}

/** A moment in seconds, or as the place of the event where a history has no times. */
export function tellTime(at: number, { hasTimes }: Pick<Columns, 'hasTimes'>): string {
  return hasTimes ? `${(at / 1e9).toFixed(3)} s` : `event ${at}`
}
