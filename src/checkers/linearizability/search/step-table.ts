const firstCapacity = 1 << 5
const fields = 3

/** The state after an operation of a kind, by state and kind: open addressing over a typed array. */
export class StepTable {
  /** State + 1 (0 where free), kind, the state after it. */
  #entries = new Int32Array(firstCapacity * fields)
  #size = 0

  get bytes(): number {
    return this.#entries.byteLength
  }

  /** Undefined when it was not set. */
  get(state: number, kind: number): number | undefined {
    const place = this.#find(state, kind)
    return this.#entries[place] === 0 ? undefined : this.#entries[place + 2]
  }

  /** Sets what was not set before. */
  set(state: number, kind: number, after: number): void {
    if ((this.#size + 1) * 2 * fields > this.#entries.length) this.#grow()
    this.#size += 1
    this.#enter(state, kind, after)
  }

  #enter(state: number, kind: number, after: number): void {
    const place = this.#find(state, kind)
    this.#entries[place] = state + 1
    this.#entries[place + 1] = kind
    this.#entries[place + 2] = after
  }

  #find(state: number, kind: number): number {
    const entries = this.#entries
    let hash = Math.imul(state + 1, 0x9e3779b1) ^ Math.imul(kind + 1, 0x85ebca6b)
    hash ^= hash >>> 15
    let place = ((hash >>> 0) & (entries.length / fields - 1)) * fields
    while (entries[place] !== 0 && (entries[place] !== state + 1 || entries[place + 1] !== kind)) {
      place = (place + fields) % entries.length
    }
    return place
  }

  #grow(): void {
    const old = this.#entries
    this.#entries = new Int32Array(old.length * 2)
    for (let from = 0; from < old.length; from += fields) {
      if (old[from] === 0) continue
      this.#enter((old[from] as number) - 1, old[from + 1] as number, old[from + 2] as number)
    }
  }
}
