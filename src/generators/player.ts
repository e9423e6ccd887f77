import type { Outcome } from '../history/operation.js'
import type { Json } from '../json.js'
import type { Semantics } from '../models/model.js'
import type { Random } from '../random/random.js'

/** What a client asks of a played object. */
export interface Request {
  readonly type: string
  readonly key: string | null
  readonly input: Json
  /** What becomes of it when its outcome is unknown, where not both are possible. */
  readonly unanswered?: 'happens' | 'never'
  /** False where it is answered even if it was to fail. */
  readonly mayFail?: false
}

/** Whose turn it is. */
export interface Turn {
  readonly random: Random
  readonly process: number
  /** What is to become of the operation, if the request allows it. */
  readonly outcome: Outcome
  /** Nanoseconds since the start. */
  readonly now: number
  /** Operations that are still to be invoked, this one included. */
  readonly remaining: number
  /** A number that was never drawn before: what is written is distinct. */
  fresh(): number
}

/** Plays the objects of a history, all keys together, as one that works: operations take effect one at a time. */
export interface Player {
  /** What the process does next; null when there is nothing that it may do now. */
  draw(turn: Turn): Request | null
  /** The answer to a request that takes effect now; undefined when it has to wait. */
  answer(request: Request, turn: Turn): Json | undefined
}

/** What a player is to play. */
export interface Setting {
  readonly semantics: Semantics
  /** One for each object; null alone when there is one. */
  readonly keys: readonly (string | null)[]
  readonly random: Random
}

/** Plays objects that know nothing of each other. */
export function perKey({ keys }: Setting, playOne: (key: string | null) => Player): Player {
  const players = new Map(keys.map((key) => [key, playOne(key)]))
  return {
    draw: (turn) => players.get(turn.random.pick(keys))?.draw(turn) ?? null,
    answer: (request, turn) => players.get(request.key)?.answer(request, turn),
  }
}
