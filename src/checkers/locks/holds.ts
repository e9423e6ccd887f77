import type { Operation } from '../../history/operation.js'
import { Releases } from './releases.js'

/**
 * What one process surely holds of one lock or semaphore, as its operations go by in order of time: all that was granted,
 * less the most that its releases can have given back. A release gives back one permit at most, at any moment from its
 * call to its answer, and one of unknown outcome at any later moment.
 */
export class Holds {
  /** Acquires whose permits the process surely holds, in order of their answers. */
  readonly acquires: Operation[] = []
  /** Releases that may yet give back something. */
  readonly #spare = new Releases()
  /** Releases that have given back something already, as far as they can still do so later in place of another. */
  readonly #spent = new Releases()
  #inFlight = 0
  /** Up to when the system found that the process holds nothing. */
  #emptiedUntil = -Infinity
  /** Whether something was granted while the system found that the process holds nothing. */
  isUnclear = false

  /** An acquire or release is called. */
  called(operation: Operation): void {
    if (this.#inFlight === 0) {
      this.#spare.forgetAnswered()
      this.#spent.forgetAnswered()
    }
    if (operation.complete_ts !== null) this.#inFlight += 1
  }

  answered(): void {
    this.#inFlight -= 1
  }

  /** A grant is answered: the process surely holds one more, if no release can have given it back already. */
  granted(acquire: Operation): void {
    if (acquire.invoke_ts <= this.#emptiedUntil) {
      this.isUnclear = true
      return
    }
    const end = this.#spare.takeFrom(acquire.invoke_ts)
    if (end === null) this.acquires.push(acquire)
    else this.#spent.add(end)
  }

  /** A release that may have taken effect is called. Returns the acquire whose permit it may give back, if any. */
  releasing(release: Operation): Operation | null {
    const end = release.complete_ts ?? Infinity
    const acquire = this.acquires.pop() ?? null
    if (acquire === null) this.#spare.add(this.#spent.exchange(end))
    else this.#spent.add(end)
    return acquire
  }

  /** The system is about to say that the process holds nothing. Returns what it held. */
  emptiedBy(refusal: Operation): readonly Operation[] {
    this.#emptiedUntil = Math.max(this.#emptiedUntil, refusal.complete_ts ?? Infinity)
    this.#spent.moveTo(this.#spare)
    return this.acquires.splice(0)
  }
}
