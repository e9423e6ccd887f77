/** No state may follow. */
export const illegal = -1

/** What operations of a kind do to any state. */
export const role = {
  /** Never changes a state. */
  observer: 0,
  /** Is always allowed and leaves the same state whatever it met. */
  overwrite: 1,
  other: 2,
} as const

/** One object's operations in columns, as the search takes them. */
export interface Problem {
  readonly count: number
  /** Ranks of events, all distinct, below `events`. */
  readonly invoke: Int32Array
  /** `never` when the outcome is unknown. */
  readonly complete: Int32Array
  readonly events: number
  /** What each operation is, as a kind of the behaviour; operations of one kind do the same in every state. */
  readonly kind: Int32Array
  readonly behaviour: Behaviour
  /** The place of each operation in the order that the system claims; infinite where it claims none. */
  readonly order?: Float64Array
}

/** What the kinds of operations do; states are small integers. */
export interface Behaviour {
  readonly initial: number
  readonly kinds: number
  /** Members of `role`, by kind. */
  readonly roles: Uint8Array
  /** The state after an operation of the kind, or `illegal`. */
  step(state: number, kind: number): number
  /** Of objects whose state is one value; null for all others. */
  readonly value: ValueUse | null
  /**
   * False when no sequence of operations that are not overwrites leads from the state to one in which an operation of
   * the kind is possible. Absent where that is not known.
   */
  leadsTo?(state: number, kind: number): boolean
  describe(state: number): string
  /** Memory that grows as new states are met, roughly. */
  readonly bytes: number
}

/** How kinds use the value that is the state of an object. */
export interface ValueUse {
  readonly values: number
  /** The value that it must meet, by kind; `none` where it need not. */
  readonly needs: Int32Array
  /** The value that it leaves, by kind; `none` where it leaves what it met. */
  readonly gives: Int32Array
  /** The value that it must not meet, by kind; `none` where it may meet any. */
  readonly denies: Int32Array
}
