import type { CheckResult } from '../checkers/checker.js'
import type { Drawn } from './mutants.js'
import type { Sensitivity } from './result.js'

/** What a checker said of a mutant. */
export interface Answer {
  readonly valid: CheckResult['valid']
  /** What was the matter when it is neither valid nor invalid, to be put behind a sentence. */
  readonly why: string
  readonly ms: number
}

/** Counts the mutants that a checker noticed. */
export class Tally {
  readonly #counts = new Map<string, { mutants: number; killed: number }>()
  readonly survivors: Sensitivity['survivors'] = []

  count({ mutation, what }: Drawn, { valid, why }: Answer): void {
    const counts = this.#counts.get(mutation) ?? { mutants: 0, killed: 0 }
    this.#counts.set(mutation, counts)
    counts.mutants += 1
    if (valid === false) counts.killed += 1
    else this.survivors.push({ mutation, what: `${what}${why}` })
  }

  get mutations(): Sensitivity['mutations'] {
    return [...this.#counts].map(([name, counts]) => ({ name, ...counts }))
  }

  get mutants(): number {
    return this.mutations.reduce((sum, { mutants }) => sum + mutants, 0)
  }

  get killed(): number {
    return this.mutants - this.survivors.length
  }
}
