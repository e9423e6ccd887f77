/** What a generated history looks like. The same shape and seed give the same history. */
export interface HistoryShape {
  readonly operations: number
  /** Clients that work at the same time. Default 5. */
  readonly processes?: number
  /** Default 1, and then every operation has key null. */
  readonly keys?: number
  /** Share of operations whose outcome is unknown; about half of them have taken effect. Default 0. */
  readonly unknown?: number
  /** Share of operations that failed and have not taken effect. Default 0. */
  readonly failed?: number
  readonly seed: number
}
