/** Measured on V8: a short list with its name. */
const bytesPerSet = 300

/**
 * How many operations of each kind with unknown outcome a search has let take effect: multisets with small ids.
 * Id 0 is the empty one. A multiset is a list of kind, count, kind, count, … in order of kinds.
 */
export class UsedUp {
  readonly #sets: (readonly number[])[] = [[]]
  readonly #ids = new Map<string, number>([['', 0]])

  /** Memory of the multisets, roughly. */
  get bytes(): number {
    return this.#sets.length * bytesPerSet
  }

  count(id: number, kind: number): number {
    const set = this.#sets[id] as readonly number[]
    for (let at = 0; at < set.length; at += 2) {
      if (set[at] === kind) return set[at + 1] as number
    }
    return 0
  }

  /** The multiset with one more of the kind. */
  plus(id: number, kind: number): number {
    const set = [...(this.#sets[id] as readonly number[])]
    let at = 0
    while (at < set.length && (set[at] as number) < kind) at += 2
    if (set[at] === kind) set[at + 1] = (set[at + 1] as number) + 1
    else set.splice(at, 0, kind, 1)
    const name = set.join()
    const known = this.#ids.get(name)
    if (known !== undefined) return known
    this.#sets.push(set)
    this.#ids.set(name, this.#sets.length - 1)
    return this.#sets.length - 1
  }

  /** True when `inner` is contained in `outer`. */
  readonly contains = (inner: number, outer: number): boolean => {
    if (inner === 0) return true
    const small = this.#sets[inner] as readonly number[]
    const large = this.#sets[outer] as readonly number[]
    if (small.length > large.length) return false
    let at = 0
    for (let i = 0; i < small.length; i += 2) {
      while (at < large.length && (large[at] as number) < (small[i] as number)) at += 2
      if (large[at] !== small[i] || (large[at + 1] as number) < (small[i + 1] as number)) return false
    }
    return true
  }
}
