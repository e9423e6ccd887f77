import { z } from 'zod'
import type { Json } from '../json.js'
import { ColumnsBuilder, type Completion } from './columns-builder.js'
import type { Columns } from './columns.js'
import { GrowingIntegers } from './growing-integers.js'
import type { FaultSpan } from './fault-span.js'
import { NemesisEvents } from './nemesis-events.js'
import type { HistoryProblem } from './problem.js'
import { kindOf } from './validate.js'

const none = -1

/** A value that is known to be JSON because JSON.parse returned it. */
const parsed = z.custom<Json>(() => true).optional()

const eventSchema = z.object({
  process: z.union([z.int(), z.string()]).nullable(),
  type: z.enum(['invoke', 'ok', 'fail', 'info']),
  f: z.string().min(1),
  key: z.union([z.string(), z.number()]).nullish(),
  value: parsed,
  error: parsed,
  /** Nanoseconds; null or left out when the events carry no time. */
  time: z.number().nullish(),
  node: z.string().nullish(),
})
type Event = z.infer<typeof eventSchema>

const expected: Record<string, string> = {
  process: 'an integer, a name or null',
  type: '"invoke", "ok", "fail" or "info"',
  f: 'the name of an operation',
  key: 'a string, a number or null',
  time: 'a number or null',
  node: 'a string or null',
}

/** What `eventSchema` says of parsed JSON, several times as fast. */
function isEvent(value: unknown): value is Event {
  if (typeof value !== 'object' || value === null) return false
  const { process, type, f, key, time, node } = value as Partial<Record<keyof Event, unknown>>
  return (
    (typeof process === 'string' || Number.isSafeInteger(process) || process === null) &&
    (type === 'invoke' || type === 'ok' || type === 'fail' || type === 'info') &&
    typeof f === 'string' &&
    f !== '' &&
    (key === undefined || key === null || typeof key === 'string' || typeof key === 'number') &&
    (time === undefined || time === null || typeof time === 'number') &&
    (node === undefined || node === null || typeof node === 'string')
  )
}

/**
 * Pairs Jepsen-style events into operations.
 *
 * An event is `{"process", "type": "invoke|ok|fail|info", "f", "key"?, "value"?, "error"?, "time"?, "node"?}`;
 * other fields are passed over. The order of the events is the order in which things happened.
 *
 * - `op_id` is the position of the invocation in the file, counted from 0.
 * - Input is the value of the invocation, output the value of its `ok`.
 * - `fail` keeps its moment and its error (`failed` without one). `info`, or no completion at all, is unknown.
 * - Events of the process `"nemesis"` are no operations; see `NemesisEvents` for what they tell.
 * - A process of null is not known. Such an operation is completed by the next event without a process, and counts as
 *   one of a process of its own: which of them one client did, in its order, cannot be told.
 * - Timestamps are the positions of the events, unless every event has a whole, non-negative `time`, none earlier than
 *   the one before it and no invocation at the time of a return before it. Only then do the times tell the same order as
 *   the events, and are taken instead.
 */
export class JepsenEvents {
  readonly #builder = new ColumnsBuilder()
  /** The operation in flight of each process, `none` where there is none: a map that only grows is quicker. */
  readonly #pending = new Map<string | number | null, number>()
  /** Every invocation and return in order, as in `Columns`. */
  readonly #events = new GrowingIntegers()
  /** The `time` at each position, for as long as all of them can be used. */
  #times: number[] | null = []
  #lastTime = -1
  /** Whether the event at that time is a return. */
  #lastReturns = false
  #timed = false
  #position = 0
  #nemesisEvents = 0
  readonly #nemesis = new NemesisEvents()

  /** Takes the next event as `JSON.parse` returned it. Returns what is wrong with it, or null. */
  add(value: unknown): HistoryProblem | null {
    const position = this.#position++
    if ((value as { process?: unknown } | null)?.process === 'nemesis') {
      this.#nemesisEvents += 1
      this.#nemesis.add(value, position)
      // A place holder, so that positions and times stay aligned.
      this.#times?.push(-1)
      return null
    }
    if (!isEvent(value)) return shapeProblem(value, eventSchema.safeParse(value).error?.issues[0])
    this.#noteTime(value)
    return value.type === 'invoke' ? this.#invoke(value, position) : this.#complete(value, position)
  }

  /** The history, and remarks about what was left out. */
  finish(): { columns: Columns; notes: string[]; faults: FaultSpan[] } {
    const notes: string[] = []
    if (this.#nemesisEvents > 0) notes.push(`${this.#nemesisEvents} nemesis events were left out`)
    const times = this.#timed ? this.#times : null
    if (this.#timed && times === null) {
      notes.push(
        'times contradict or do not tell the order of the events: the order of the events is used as time',
      )
    }
    for (const index of this.#pending.values()) {
      if (index !== none) this.#builder.complete(index, incomplete)
    }
    if (times !== null) this.#builder.retime((position) => times[position] as number)
    const told = { events: this.#events.all, hasTimes: times !== null }
    const faults = this.#nemesis.spans(times === null ? 'position' : 'time')
    return { columns: this.#builder.finishInOrder(told), notes, faults }
  }

  /** Events may share a time as long as no invocation follows a return: at one time calls count as coming first. */
  #noteTime({ time, type }: Event): void {
    const isCall = type === 'invoke'
    if (typeof time === 'number') this.#timed = true
    const follows = time === this.#lastTime && !(isCall && this.#lastReturns)
    if (typeof time === 'number' && Number.isSafeInteger(time) && (time > this.#lastTime || follows)) {
      this.#times?.push(time)
      this.#lastTime = time
      this.#lastReturns = !isCall
    } else {
      this.#times = null
    }
  }

  #invoke(event: Event, position: number): HistoryProblem | null {
    const earlier = this.#pending.get(event.process)
    if (earlier !== undefined && earlier !== none) return this.#invokedTwice(event, earlier)
    const index = this.#builder.invoke({
      op_id: position,
      process_id: event.process ?? `unnamed-${position}`,
      invoke_ts: position,
      op_type: event.f,
      key: event.key ?? null,
      input: event.value ?? null,
    })
    this.#pending.set(event.process, index)
    this.#events.push(index + 1)
    return null
  }

  #invokedTwice({ process, f }: Event, earlier: number): HistoryProblem {
    const inFlight = `"${this.#builder.typeAt(earlier)}" (event ${this.#builder.idAt(earlier)}) is still in flight`
    if (process !== null) {
      const message = `process ${JSON.stringify(process)} invokes "${f}" while its ${inFlight}`
      return { code: 'invoked-twice', message }
    }
    return {
      code: 'invoked-twice',
      message: `an event without a process invokes "${f}" while the ${inFlight}, also without one: no completion can be told from the other`,
      hint: 'name the process of each event; null will do only where operations come one after another',
    }
  }

  #complete(event: Event, position: number): HistoryProblem | null {
    const index = this.#pending.get(event.process)
    if (index === undefined || index === none) {
      const process = JSON.stringify(event.process)
      return {
        code: 'completion-without-invocation',
        message: `"${event.type}" of "${event.f}" by process ${process}, which has no operation in flight`,
      }
    }
    const type = this.#builder.typeAt(index)
    const invokedKey = this.#builder.keyAt(index)
    const key = event.key === undefined ? invokedKey : event.key
    if (event.f !== type || key !== invokedKey) {
      const process = JSON.stringify(event.process)
      const was = `"${type}" on key ${JSON.stringify(invokedKey)}`
      return {
        code: 'mismatched-completion',
        message: `process ${process} invoked ${was}, but "${event.f}" on key ${JSON.stringify(key)} completes`,
      }
    }
    this.#pending.set(event.process, none)
    const isAnswered = event.type !== 'info'
    if (isAnswered) this.#events.push(-index - 1)
    this.#builder.complete(index, {
      complete_ts: isAnswered ? position : null,
      output: event.type === 'ok' ? (event.value ?? null) : null,
      error: event.type === 'ok' ? null : (errorText(event.error) ?? defaultError[event.type]),
      timeout_marker: !isAnswered,
      node_seen: event.node ?? null,
      fault_epoch: null,
    })
    return null
  }
}

/** How an operation ends of which no completion was recorded. */
const incomplete: Completion = {
  complete_ts: null,
  output: null,
  error: 'no completion was recorded',
  timeout_marker: true,
  node_seen: null,
  fault_epoch: null,
}

const defaultError = { invoke: null, fail: 'failed', info: 'the outcome is unknown' } as const

function errorText(error: Json | undefined): string | null {
  if (error === undefined || error === null) return null
  return typeof error === 'string' ? error : JSON.stringify(error)
}

function shapeProblem(value: unknown, issue: z.core.$ZodIssue | undefined): HistoryProblem {
  const field = issue?.path[0]
  if (field === undefined) {
    return { code: 'wrong-type', message: `expected one event as a JSON object, found ${kindOf(value)}` }
  }
  const name = String(field)
  const found = (value as Record<string, unknown>)[name]
  const code = found === undefined ? 'missing-field' : 'wrong-type'
  return { code, message: `field "${name}" is ${kindOf(found)}; expected ${expected[name]}` }
}
