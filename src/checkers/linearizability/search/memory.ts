/** What the tables of searches may take together, in bytes. */
export interface Memory {
  readonly taken: number
  /** The most that was ever taken at a time. */
  readonly most: number
  /** Books the bytes; false when they are not left, and then nothing is booked. */
  take(bytes: number): boolean
  giveBack(bytes: number): void
}

/** A budget of memory of which nothing is taken yet. */
export function memoryOf(limitBytes: number): Memory {
  let taken = 0
  let most = 0
  return {
    get taken() {
      return taken
    },
    get most() {
      return most
    },
    take(bytes) {
      if (taken + bytes > limitBytes) return false
      taken += bytes
      most = Math.max(most, taken)
      return true
    },
    giveBack(bytes) {
      taken -= bytes
    },
  }
}

/** A share of a budget: what is taken of it is taken of the whole. */
export function shareOf(whole: Memory): Memory {
  const share = memoryOf(Infinity)
  return {
    get taken() {
      return share.taken
    },
    get most() {
      return share.most
    },
    take: (bytes) => whole.take(bytes) && share.take(bytes),
    giveBack(bytes) {
      share.giveBack(bytes)
      whole.giveBack(bytes)
    },
  }
}
