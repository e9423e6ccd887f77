import type { Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import type { Model } from '../../models/model.js'
import type { FinalRead } from '../no-lost-ack/final-reads.js'
import { shown, tell } from '../words.js'
import { actionOf, valueIn } from './actions.js'
import type { Addition } from './bounds.js'

/** An answer that tells the value of a counter at some moment. */
export interface Reading {
  /** The value before the operation's own effect. */
  readonly value: number
  /** What the operation itself adds. */
  readonly adds: number
  readonly invoked: number
  readonly completed: number
  readonly told: string
  /** Its operation, when it is one of the history. */
  readonly id: Operation['op_id'] | null
}

/** What is known of the counter of one key. */
export interface CounterHistory {
  /** Those that may have happened. */
  readonly additions: Addition[]
  readonly readings: Reading[]
}

/** The value before the first operation: the model's `init`, else 0. */
export function initOf(model: Model | null): number {
  const init = model?.semantics.init ?? 0
  return isWhole(init) ? init : 0
}

/** Sorts the operations of counters by key, and counts them. Throws ModelOperationError for what is no whole number. */
export function countersOf(
  operations: readonly Operation[],
  model: Model | null,
): { readonly counters: ReadonlyMap<Operation['key'], CounterHistory>; readonly count: number } {
  const whenNull = model?.semantics.nullRead === 'absent' ? initOf(model) : null
  const counters = new Map<Operation['key'], CounterHistory>()
  let count = 0
  for (const operation of operations) {
    const action = actionOf(operation, whenNull)
    if (action === null) continue
    count += 1
    let counter = counters.get(operation.key)
    if (counter === undefined) {
      counter = { additions: [], readings: [] }
      counters.set(operation.key, counter)
    }
    const { adds, before: value } = action
    if (adds !== 0) counter.additions.push({ operation, amount: adds })
    if (value !== null) counter.readings.push(new OperationReading(operation, { value, adds }))
  }
  return { counters, count }
}

/** Told only when it is asked for: there may be a million. */
class OperationReading implements Reading {
  readonly value: number
  readonly adds: number
  readonly #operation: Operation

  constructor(operation: Operation, { value, adds }: { value: number; adds: number }) {
    this.value = value
    this.adds = adds
    this.#operation = operation
  }

  get invoked(): number {
    return this.#operation.invoke_ts
  }

  get completed(): number {
    return this.#operation.complete_ts ?? Infinity
  }

  get id(): Operation['op_id'] {
    return this.#operation.op_id
  }

  get told(): string {
    return `${tell(this.#operation)} answered ${shown(this.#operation.output)}`
  }
}

/** The reading that began last, in a list of its own. */
export function lastOf(readings: readonly Reading[]): readonly Reading[] {
  let last: Reading | undefined
  for (const reading of readings) {
    if (last === undefined || reading.invoked >= last.invoked) last = reading
  }
  return last === undefined ? [] : [last]
}

/** Final reads by key, without those that failed. They are made when nothing is in flight any more. */
export function finalReadings(finals: readonly FinalRead[], init: number): Map<FinalRead['key'], Reading[]> {
  const readings = new Map<FinalRead['key'], Reading[]>()
  for (const { key, node, value: answer, error } of finals) {
    const value = answer === null ? init : valueIn(answer)
    if (error !== null || !isWhole(value)) continue
    const told = `the final read at ${node} answered ${shown(answer)}`
    const reading = { value, adds: 0, invoked: Infinity, completed: Infinity, told, id: null }
    const others = readings.get(key)
    if (others === undefined) readings.set(key, [reading])
    else others.push(reading)
  }
  return readings
}

function isWhole(value: Json): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value)
}
