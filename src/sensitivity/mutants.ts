import type { Random } from '../random/random.js'
import type { CleanHistory, Mutant, Mutation } from './mutation.js'

/** How often a mutant that was drawn before is drawn again. */
const redraws = 4

export interface Drawn extends Mutant {
  readonly mutation: string
}

/** Draws mutants of a history, of every mutation in turn, and none that was `seen` before: by its words. */
export class Mutants {
  readonly #history: CleanHistory
  readonly #random: Random
  readonly #seen: Set<string>
  #left: Mutation[]
  #turn = 0

  constructor(
    history: CleanHistory,
    {
      mutations,
      random,
      seen = new Set(),
    }: { mutations: readonly Mutation[]; random: Random; seen?: Set<string> },
  ) {
    this.#history = history
    this.#random = random
    this.#seen = seen
    this.#left = random.shuffle(mutations)
  }

  /** Another mutant; null when no mutation has a further one to offer. */
  next(): Drawn | null {
    while (this.#left.length > 0) {
      const mutation = this.#left[this.#turn % this.#left.length] as Mutation
      const mutant = this.#draw(mutation)
      if (mutant !== null) {
        this.#turn += 1
        return { ...mutant, mutation: mutation.name }
      }
      this.#left = this.#left.filter((other) => other !== mutation)
    }
    return null
  }

  #draw(mutation: Mutation): Mutant | null {
    for (let attempt = 0; attempt <= redraws; attempt += 1) {
      const mutant = mutation.draw(this.#history, this.#random)
      if (mutant === null) return null
      const identity = `${mutation.name}: ${mutant.what}`
      if (this.#seen.has(identity)) continue
      this.#seen.add(identity)
      return mutant
    }
    return null
  }
}
