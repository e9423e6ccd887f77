import { none } from '../part.js'
import { Candidates } from './candidates.js'
import type { Frames } from './frames.js'
import { Moves } from './moves.js'
import type { Position } from './position.js'
import { role } from './problem.js'
import type { UnknownOperations } from './unknown-operations.js'

/** Phases of a frame; below these its phase is the number of preferred moves that were tried. */
const phase = { completed: 100, unknown: 101 } as const

/**
 * What to try next from a configuration: first what is promising, then everything that can be next, last what is of
 * unknown outcome.
 */
export class Choices {
  readonly #position: Position
  readonly #moves: Moves
  readonly #candidates: Candidates
  readonly #isReadWrite: boolean

  /** `isReadWrite`: the object is one value that operations only read or overwrite. */
  constructor(
    position: Position,
    { unknown, isReadWrite }: { unknown: UnknownOperations; isReadWrite: boolean },
  ) {
    this.#position = position
    this.#moves = new Moves(position, unknown)
    this.#candidates = new Candidates(position, unknown)
    this.#isReadWrite = isReadWrite
  }

  /** The next move of the last frame, as in `Moves`; null when all were tried. The position is that of the frame. */
  next(frames: Frames): number | null {
    const tried = frames.phase
    if (tried < phase.completed) {
      const move = this.#moves.preferred()[tried]
      frames.phase = tried + 1
      if (move !== undefined) return move
      if (this.#isReadWrite && this.#isForcedReader()) return null
      frames.phase = phase.completed
      frames.cursor = none
    }
    if (frames.phase === phase.completed) {
      const next = this.#candidates.completedAfter(frames.cursor)
      if (next !== none) {
        frames.cursor = next
        return next
      }
      frames.phase = phase.unknown
      frames.cursor = 0
    }
    return this.#nextUnknown(frames)
  }

  #nextUnknown(frames: Frames): number | null {
    const kinds = this.#candidates.unknownKinds()
    for (let place = frames.cursor; place < kinds.length; place += 1) {
      const next = this.#candidates.unknownOf(kinds[place] as number)
      if (next === none) continue
      frames.cursor = place + 1
      return next
    }
    return null
  }

  /** Only a write of the value that it read helps a reader, and of these the preferred moves have the best. */
  #isForcedReader(): boolean {
    const { behaviour, forced, problem } = this.#position
    return behaviour.roles[problem.kind[forced] as number] === role.observer
  }
}
