import { Processes } from '../history/processes.js'
import type { Operation, Outcome } from '../history/operation.js'
import type { Json } from '../json.js'
import { modelNamed } from '../models/named.js'
import type { Model } from '../models/model.js'
import { Random } from '../random/random.js'
import { playerOf } from './player-of.js'
import type { Request, Turn } from './player.js'
import { complete, invoked } from './record.js'
import { shapeOf, type HistoryShape } from './shape.js'

/** Nanoseconds between two events at most. */
const mostBetween = 100_000
/** Of so many steps one lets an operation happen whose client has given it up. */
const lateSteps = 8

/** An operation in flight. */
interface Flight {
  readonly request: Request
  readonly operation: Operation
  readonly outcome: Outcome
  /** The answer; undefined before it took effect. */
  answer: Json | undefined
}

/**
 * A random history that is linearizable by construction: clients overlap, and each operation takes effect at a hidden
 * moment between its invocation and its return as the model says, with an answer to match.
 *
 * Operations of unknown outcome take effect then, later, or never, and retire their process as the recorder does. Failed
 * ones do not take effect. Written values are distinct. Timestamps are nanoseconds, each later than the one before.
 * `model` is a model of this package, whose `init` is where the history begins, or its name.
 * Throws DeclarationError when the shape is wrong or the model is none of those.
 */
export function validHistory(model: Model | string, shape: HistoryShape): readonly Operation[] {
  const { operations: total, processes: clients, keys, unknown, failed, seed } = shapeOf(shape)
  const { name, semantics } = typeof model === 'string' ? modelNamed(model) : model
  const random = new Random(seed)
  const names = keys === 1 ? [null] : Array.from({ length: keys }, (_, index) => `k${index}`)
  const player = playerOf(name, { semantics, keys: names, random })

  const operations: Operation[] = []
  const processes = new Processes(clients)
  const inFlight = new Array<Flight | null>(clients).fill(null)
  let busy = 0
  /** What clients have given up and will happen all the same. */
  const late: Flight[] = []
  let drawn = 0
  const turn: { -readonly [Field in keyof Turn]: Turn[Field] } = {
    random,
    process: 0,
    outcome: 'ok',
    now: 0,
    remaining: total,
    fresh: () => ++drawn,
  }

  /** Undefined when it has to wait. */
  const takeEffect = ({ request, operation, outcome }: Flight): Json | undefined => {
    turn.process = operation.process_id as number
    turn.outcome = outcome
    return player.answer(request, turn)
  }

  const outcomeDrawn = (): Outcome => {
    if (unknown === 0 && failed === 0) return 'ok'
    const share = random.float()
    return share < unknown ? 'unknown' : share < unknown + failed ? 'failed' : 'ok'
  }

  const invoke = (client: number): void => {
    turn.process = processes.of(client)
    turn.outcome = outcomeDrawn()
    const request = player.draw(turn)
    if (request === null) return
    const outcome = turn.outcome === 'failed' && request.mayFail === false ? 'ok' : turn.outcome
    turn.now += random.int(1, mostBetween)
    turn.remaining -= 1
    const operation = invoked({ id: operations.length, process: turn.process, at: turn.now, request })
    operations.push(operation)
    inFlight[client] = { request, operation, outcome, answer: undefined }
    busy += 1
  }

  const goOn = (client: number, flight: Flight): void => {
    const { request, operation, outcome } = flight
    if (outcome === 'unknown') {
      const happens = request.unanswered ?? (random.int(0, 1) === 0 ? 'happens' : 'never')
      if (happens === 'happens') late.push(flight)
      processes.retire(client)
    } else if (outcome === 'ok' && flight.answer === undefined) {
      flight.answer = takeEffect(flight)
      return
    } else {
      turn.now += random.int(1, mostBetween)
      complete(operation, { at: turn.now, client, outcome, answer: flight.answer ?? null })
    }
    inFlight[client] = null
    busy -= 1
  }

  const letOneHappenLate = (): void => {
    const place = random.int(0, late.length - 1)
    if (takeEffect(late[place] as Flight) === undefined) return
    const last = late.pop() as Flight
    if (place < late.length) late[place] = last
  }

  while (operations.length < total || busy > 0) {
    if (late.length > 0 && random.int(1, lateSteps) === 1) letOneHappenLate()
    const client = random.int(0, clients - 1)
    const flight = inFlight[client] ?? null
    if (flight !== null) goOn(client, flight)
    else if (operations.length < total) invoke(client)
  }
  return operations
}
