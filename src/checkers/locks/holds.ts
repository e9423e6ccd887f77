import type { Operation } from '../../history/operation.js'

/** What one process surely holds of one lock or semaphore, as its operations go by in order of time. */
export class Holds {
  /** Acquires whose permits the process surely holds, in order of their answers. */
  readonly acquires: Operation[] = []
  /** Releases that may take one of the next permits at once. */
  #owed = 0
  #inFlight = 0
  #isReleasedLater = false
  /** Up to when the system found that the process holds nothing. */
  #emptiedUntil = -Infinity
  /** Whether something was granted while the system found that the process holds nothing. */
  isUnclear = false

  /**
   * An acquire or release is called. Whatever was released before cannot take what is acquired from now on, unless
   * something is still in flight or a release of unknown outcome may come late.
   */
  called(operation: Operation): void {
    if (this.#inFlight === 0 && !this.#isReleasedLater) this.#owed = 0
    if (operation.complete_ts !== null) this.#inFlight += 1
  }

  answered(): void {
    this.#inFlight -= 1
  }

  /** A grant is answered: the process surely holds one more, if no release in flight may have taken it already. */
  granted(acquire: Operation): void {
    if (acquire.invoke_ts <= this.#emptiedUntil) this.isUnclear = true
    else if (this.#owed > 0) this.#owed -= 1
    else this.acquires.push(acquire)
  }

  /** A release that may have taken effect is called. Returns the acquire whose permit it may give back, if any. */
  releasing(release: Operation): Operation | null {
    if (release.complete_ts === null) this.#isReleasedLater = true
    const acquire = this.acquires.pop()
    if (acquire === undefined) this.#owed += 1
    return acquire ?? null
  }

  /** The system is about to say that the process holds nothing. Returns what it held. */
  emptiedBy(refusal: Operation): readonly Operation[] {
    this.#emptiedUntil = Math.max(this.#emptiedUntil, refusal.complete_ts ?? Infinity)
    return this.acquires.splice(0)
  }
}
