/** When a fault was active, in nanoseconds of the run's clock. */
export interface FaultSpan {
  /** As in `fault_epoch`, such as `F1`. */
  readonly epoch: string
  /** The fault and its target, in words. */
  readonly name: string
  readonly start: number
  /** When it was healed; null when it never was. */
  readonly end: number | null
}
