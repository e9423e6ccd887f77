/** How it is proven, after a clean check, that the checker would have noticed a violation. */
export interface SensitivityOptions {
  /** Mutants made of each history. Default 20. */
  readonly mutants?: number
  /** Share of the applicable mutants that must be noticed. Default 0.95; below it the oracle counts as too weak. */
  readonly floor?: number
}
