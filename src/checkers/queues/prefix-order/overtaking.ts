/** An element on its way through a queue or a log. Times are nanoseconds, or offsets where it comes out of a log. */
export interface Passage<Source> {
  readonly source: Source
  /** When its put began. */
  readonly inFrom: number
  /** When its put had returned; never, when its outcome is unknown. */
  readonly inBy: number
  /** When it began to come out. */
  readonly outFrom: number
  /** By when it had come out. */
  readonly outBy: number
}

/** An element that came out later than it should have. */
export interface Overtaken<Source> {
  readonly passage: Passage<Source>
  /** How many elements overtook it. */
  readonly count: number
}

/** True when `other` certainly went in after `passage` and certainly came out before it. */
function overtakes<Source>(other: Passage<Source>, passage: Passage<Source>): boolean {
  return other.inFrom > passage.inBy && other.outBy < passage.outFrom
}

/**
 * The elements that more than `window` others overtook, in order of coming out. Counts with a tree over the order of
 * going in (Fenwick 1994, A new data structure for cumulative frequency tables): n log n.
 */
export function overtaken<Source>(
  passages: readonly Passage<Source>[],
  window: number,
): readonly Overtaken<Source>[] {
  const starts = Float64Array.from(passages, ({ inFrom }) => inFrom).sort()
  const byOut = passages.toSorted((a, b) => a.outBy - b.outBy)
  const byStart = passages.toSorted((a, b) => a.outFrom - b.outFrom)
  const tree = new Uint32Array(passages.length + 1)
  const found: Overtaken<Source>[] = []
  let out = 0
  for (const passage of byStart) {
    for (; out < byOut.length && (byOut[out] as Passage<Source>).outBy < passage.outFrom; out += 1) {
      // Counted from the latest on, so that a prefix of the tree holds what went in late.
      const rank = starts.length - atMost(starts, (byOut[out] as Passage<Source>).inFrom) + 1
      for (let i = rank; i < tree.length; i += i & -i) tree[i] = (tree[i] as number) + 1
    }
    let count = 0
    for (let i = starts.length - atMost(starts, passage.inBy); i > 0; i -= i & -i) count += tree[i] as number
    if (count > window) found.push({ passage, count })
  }
  return found
}

/** How many of the sorted numbers are at most this one. */
function atMost(sorted: Float64Array, number: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) <= number) low = middle + 1
    else high = middle
  }
  return low
}

/** The first of those that overtook it, as many as are asked for. */
export function overtakersOf<Source>(
  passage: Passage<Source>,
  { among, count }: { among: readonly Passage<Source>[]; count: number },
): readonly Passage<Source>[] {
  const found: Passage<Source>[] = []
  for (const other of among) {
    if (found.length === count) break
    if (overtakes(other, passage)) found.push(other)
  }
  return found
}
