/** What the tables of one or more searches may take together, in bytes. */
export interface Memory {
  readonly limit: number
  readonly taken: number
  /** Books the bytes; false when they are not left, and then nothing is booked. */
  take(bytes: number): boolean
  giveBack(bytes: number): void
}

/** A budget of memory of which nothing is taken yet. */
export function memoryOf(limitBytes: number): Memory {
  let taken = 0
  return {
    limit: limitBytes,
    get taken() {
      return taken
    },
    take(bytes) {
      if (taken + bytes > limitBytes) return false
      taken += bytes
      return true
    },
    giveBack(bytes) {
      taken -= bytes
    },
  }
}
