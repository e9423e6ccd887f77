import { milliseconds, type Duration } from '../../time/duration.js'

/** What may be spent on a reduction. */
export interface ReduceOptions {
  /** Runs at most, besides those that confirm what is left. Default 60. */
  readonly runs?: number
  /** No run of a candidate starts after that. Default 10 minutes. */
  readonly within?: Duration
}

const defaultRuns = 60
const defaultWithin: Duration = '10m'

/** Runs at most. */
export function reduceRuns({ runs }: ReduceOptions): number {
  return runs ?? defaultRuns
}

/** Milliseconds after which no run starts. Throws DeclarationError when it is no duration. */
export function reduceWithinMs({ within }: ReduceOptions): number {
  return milliseconds(within ?? defaultWithin, 'reduce.within')
}
