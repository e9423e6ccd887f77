import type { Call } from './call.js'

/**
 * The completed calls that are not linearized yet, in order of invocation and in order of return: two doubly linked
 * lists from which a call is taken out and put back in constant time, in reverse order.
 */
export class OpenCalls {
  readonly end: number
  readonly #nextCall: Int32Array
  readonly #previousCall: Int32Array
  readonly #nextReturn: Int32Array
  readonly #previousReturn: Int32Array
  /** Calls by order of return. */
  readonly byReturn: readonly number[]
  /** Place of each call in `byReturn`; the number of calls for `end`. */
  readonly position: Int32Array

  /** `calls` are completed and in order of invocation. */
  constructor(calls: readonly Call[]) {
    this.end = calls.length
    const size = calls.length + 1
    this.#nextCall = new Int32Array(size)
    this.#previousCall = new Int32Array(size)
    this.#nextReturn = new Int32Array(size)
    this.#previousReturn = new Int32Array(size)
    this.position = new Int32Array(size)
    this.byReturn = calls
      .map((_, index) => index)
      .sort((a, b) => (calls[a] as Call).complete - (calls[b] as Call).complete)
    link(this.#nextCall, this.#previousCall, [...calls.keys(), this.end])
    link(this.#nextReturn, this.#previousReturn, [...this.byReturn, this.end])
    this.byReturn.forEach((call, place) => (this.position[call] = place))
    this.position[this.end] = calls.length
  }

  /** The call invoked first, or `end`. */
  get first(): number {
    return this.#nextCall[this.end] as number
  }

  /** The call that returns first: nothing later can be reached before it is linearized. `end` when none is left. */
  get forced(): number {
    return this.#nextReturn[this.end] as number
  }

  after(call: number): number {
    return this.#nextCall[call] as number
  }

  take(call: number): void {
    unlink(this.#nextCall, this.#previousCall, call)
    unlink(this.#nextReturn, this.#previousReturn, call)
  }

  putBack(call: number): void {
    relink(this.#nextReturn, this.#previousReturn, call)
    relink(this.#nextCall, this.#previousCall, call)
  }
}

function link(next: Int32Array, previous: Int32Array, ring: readonly number[]): void {
  ring.forEach((item, index) => {
    const following = ring[(index + 1) % ring.length] as number
    next[item] = following
    previous[following] = item
  })
}

function unlink(next: Int32Array, previous: Int32Array, item: number): void {
  next[previous[item] as number] = next[item] as number
  previous[next[item] as number] = previous[item] as number
}

function relink(next: Int32Array, previous: Int32Array, item: number): void {
  next[previous[item] as number] = item
  previous[next[item] as number] = item
}
