import { outcomeCode, type Columns } from '../history/columns.js'
import { canonical } from '../models/canonical.js'
import type { Model, RegisterAction } from '../models/model.js'
import { ModelOperationError } from '../models/operation-error.js'

const casTypes: ReadonlySet<string> = new Set(['cas', 'compare-and-set'])
/** Objects on which values tell operations apart, so that repeating one costs certainty or speed. */
const objectsOfValues: ReadonlySet<string> = new Set(['register', 'queue', 'stack', 'priority-queue', 'log'])

/**
 * What about a history makes judging it harder than it need be, or is likely a mistake of whoever recorded it: a
 * sentence each, with what to do. Empty when there is nothing to say. The verdict does not depend on it.
 */
export function advise(columns: Columns, model: Model): string[] {
  return [
    repeatedValues(columns, model),
    reusedProcesses(columns),
    silentRefusals(columns, model),
    readsOfFailedWrites(columns, model),
  ].filter((sentence) => sentence !== null)
}

function repeatedValues(columns: Columns, model: Model): string | null {
  const isOfValues = model.registerAction !== undefined || objectsOfValues.has(model.object?.type ?? '')
  if (!isOfValues) return null
  const values = new ValuesByKey()
  let written = 0
  let repeated = 0
  let first = -1
  for (const index of operationsOf(columns, model)) {
    if (columns.outcome[index] === outcomeCode.failed) continue
    const value = valueWritten(index, columns, model)
    if (value === undefined) continue
    written += 1
    if (values.add(columns.key[index] as number, value)) continue
    repeated += 1
    if (first < 0) first = index
  }
  if (repeated === 0) return null
  return (
    `${repeated} of ${written} written values had been written to their key before (first by operation ` +
    `${JSON.stringify(columns.idAt(first))}): write every value once, then a read tells which write it saw`
  )
}

function reusedProcesses(columns: Columns): string | null {
  const unanswered = new Set<number>()
  const reused = new Set<number>()
  for (let index = 0; index < columns.count; index += 1) {
    const process = columns.process[index] as number
    if (unanswered.has(process)) reused.add(process)
    if (columns.outcome[index] === outcomeCode.unknown) unanswered.add(process)
  }
  const [first] = reused
  if (first === undefined) return null
  return (
    `${reused.size} processes went on after an operation of unknown outcome (first ` +
    `${JSON.stringify(columns.processes[first])}): give the client a new process id then, since the operation may ` +
    'still take effect beside the next one'
  )
}

function silentRefusals(columns: Columns, model: Model): string | null {
  let refused = 0
  for (const index of operationsOf(columns, model)) {
    if (!casTypes.has(columns.types[columns.type[index] as number] as string)) continue
    const failed = columns.outcome[index] === outcomeCode.failed
    if (failed || (columns.outcome[index] === outcomeCode.ok && columns.outputAt(index) === false))
      refused += 1
  }
  if (refused === 0) return null
  return `${refused} refused compare-and-sets do not say which value they met: record a read of it with each, if the system returns it`
}

function readsOfFailedWrites(columns: Columns, model: Model): string | null {
  if (!model.registerAction || !columns.outcome.includes(outcomeCode.failed)) return null
  const possible = new ValuesByKey()
  const failed = new Map<string, number>()
  for (const index of operationsOf(columns, model)) {
    const value = valueWritten(index, columns, model)
    if (value === undefined) continue
    const key = columns.key[index] as number
    if (columns.outcome[index] === outcomeCode.failed) failed.set(`${key} ${value}`, index)
    else possible.add(key, value)
  }
  const initial = canonical(model.semantics.init)
  for (const index of operationsOf(columns, model)) {
    if (columns.outcome[index] !== outcomeCode.ok) continue
    const key = columns.key[index] as number
    const value = action(index, columns, model)?.reads
    if (value === undefined || value === initial || possible.has(key, value)) continue
    const write = failed.get(`${key} ${value}`)
    if (write === undefined) continue
    const { error } = columns.operationAt(write)
    return (
      `operation ${JSON.stringify(columns.idAt(index))} saw ${value}, which only operation ` +
      `${JSON.stringify(columns.idAt(write))} wrote, and that is recorded as failed (${error}): was that a timeout? ` +
      'Then record its outcome as unknown'
    )
  }
  return null
}

function* operationsOf(columns: Columns, model: Model): Generator<number> {
  const known = columns.types.map((type) => model.operations.includes(type))
  for (let index = 0; index < columns.count; index += 1) if (known[columns.type[index] as number]) yield index
}

/** What the operation writes, or would have written; undefined when it writes nothing. */
function valueWritten(index: number, columns: Columns, model: Model): string | undefined {
  if (model.registerAction) return action(index, columns, model)?.writes
  const type = columns.types[columns.type[index] as number] as string
  const input = columns.inputAt(index)
  return model.isObserver(type) || input === null ? undefined : canonical(input)
}

/** A failed operation as what it would have done. */
function action(index: number, columns: Columns, model: Model): RegisterAction | null | undefined {
  const isAnswered = columns.outcome[index] === outcomeCode.ok
  try {
    return model.registerAction?.({
      type: columns.types[columns.type[index] as number] as string,
      key: columns.keys[columns.key[index] as number] ?? null,
      input: columns.inputAt(index),
      output: isAnswered ? columns.outputAt(index) : null,
      outcome: isAnswered ? 'ok' : 'unknown',
    })
  } catch (error) {
    // A failed operation is not judged, so it need not be readable: then there is no advice about it.
    if (error instanceof ModelOperationError) return null
    throw error
  }
}

/** Which values occur on which keys. */
class ValuesByKey {
  readonly #values: Set<string>[] = []

  /** False when it is there already. */
  add(key: number, value: string): boolean {
    const values = (this.#values[key] ??= new Set())
    const before = values.size
    return values.add(value).size > before
  }

  has(key: number, value: string): boolean {
    return this.#values[key]?.has(value) ?? false
  }
}
