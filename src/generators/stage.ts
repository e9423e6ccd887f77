import { Processes } from '../history/processes.js'
import type { Operation, Outcome } from '../history/operation.js'
import type { Json } from '../json.js'
import type { Random } from '../random/random.js'
import type { Player, Request, Turn } from './player.js'
import { complete, invoked } from './record.js'
import type { HistoryShape } from './shape.js'

/** Nanoseconds between two events at most. */
const mostBetween = 100_000
/** Of so many steps one lets an operation happen whose client has given it up. */
const lateSteps = 8

/** An operation in flight. */
interface Flight {
  readonly request: Request
  readonly operation: Operation
  readonly outcome: Outcome
  /** Undefined before it took effect. */
  answer: Json | undefined
}

/**
 * Where clients work on played objects. Each step is one of a random client: it invokes an operation, or its operation
 * takes effect, or it is told the answer. Between steps, operations that were given up happen all the same.
 */
export class Stage {
  readonly #player: Player
  readonly #random: Random
  readonly #shape: Required<HistoryShape>
  readonly #operations: Operation[] = []
  readonly #processes: Processes
  /** By client. */
  readonly #inFlight: (Flight | null)[]
  #busy = 0
  /** Given up, and going to happen. */
  readonly #late: Flight[] = []
  readonly #turn: { -readonly [Field in keyof Turn]: Turn[Field] }

  constructor(player: Player, { shape, random }: { shape: Required<HistoryShape>; random: Random }) {
    this.#player = player
    this.#random = random
    this.#shape = shape
    this.#processes = new Processes(shape.processes)
    this.#inFlight = new Array<Flight | null>(shape.processes).fill(null)
    let drawn = 0
    const fresh = () => ++drawn
    this.#turn = { random, process: 0, outcome: 'ok', now: 0, remaining: shape.operations, fresh }
  }

  /** The history, in order of invocation. */
  play(): readonly Operation[] {
    const { operations, processes } = this.#shape
    while (this.#operations.length < operations || this.#busy > 0) {
      if (this.#late.length > 0 && this.#random.int(1, lateSteps) === 1) this.#letOneHappen()
      const client = this.#random.int(0, processes - 1)
      const flight = this.#inFlight[client] ?? null
      if (flight !== null) this.#goOn(client, flight)
      else if (this.#operations.length < operations) this.#invoke(client)
    }
    return this.#operations
  }

  #invoke(client: number): void {
    const turn = this.#turn
    turn.process = this.#processes.of(client)
    turn.outcome = this.#drawOutcome()
    const request = this.#player.draw(turn)
    if (request === null) return
    const outcome = turn.outcome === 'failed' && request.mayFail === false ? 'ok' : turn.outcome
    const id = this.#operations.length
    const operation = invoked({ id, process: turn.process, at: this.#tick(), request })
    turn.remaining -= 1
    this.#operations.push(operation)
    this.#inFlight[client] = { request, operation, outcome, answer: undefined }
    this.#busy += 1
  }

  #goOn(client: number, flight: Flight): void {
    const { request, operation, outcome } = flight
    if (outcome === 'unknown') {
      const happens = request.unanswered ?? (this.#random.int(0, 1) === 0 ? 'happens' : 'never')
      if (happens === 'happens') this.#late.push(flight)
      this.#processes.retire(client)
    } else if (outcome === 'ok' && flight.answer === undefined) {
      flight.answer = this.#takeEffect(flight)
      return
    } else {
      complete(operation, { at: this.#tick(), client, outcome, answer: flight.answer ?? null })
    }
    this.#inFlight[client] = null
    this.#busy -= 1
  }

  #letOneHappen(): void {
    const place = this.#random.int(0, this.#late.length - 1)
    if (this.#takeEffect(this.#late[place] as Flight) === undefined) return
    const last = this.#late.pop() as Flight
    if (place < this.#late.length) this.#late[place] = last
  }

  /** The answer; undefined when it has to wait. */
  #takeEffect({ request, operation, outcome }: Flight): Json | undefined {
    this.#turn.process = operation.process_id as number
    this.#turn.outcome = outcome
    return this.#player.answer(request, this.#turn)
  }

  #drawOutcome(): Outcome {
    const { unknown, failed } = this.#shape
    if (unknown === 0 && failed === 0) return 'ok'
    const share = this.#random.float()
    return share < unknown ? 'unknown' : share < unknown + failed ? 'failed' : 'ok'
  }

  /** The time of the next event. */
  #tick(): number {
    this.#turn.now += this.#random.int(1, mostBetween)
    return this.#turn.now
  }
}
