const firstCapacity = 1_024

/** Integers of 32 bits, one after the other, in an array that grows. */
export class GrowingIntegers {
  #integers = new Int32Array(firstCapacity)
  #count = 0

  push(integer: number): void {
    if (this.#count === this.#integers.length) {
      const grown = new Int32Array(2 * this.#count)
      grown.set(this.#integers)
      this.#integers = grown
    }
    this.#integers[this.#count] = integer
    this.#count += 1
  }

  /** All of them so far. */
  get all(): Int32Array {
    return this.#integers.subarray(0, this.#count)
  }
}
