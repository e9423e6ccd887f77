/**
 * A smaller selection of which something still holds: leaves out halves, quarters, … as long as it holds without them.
 * What is left is not always the smallest. Stops when the sizes of the selections tried add up to `work`.
 */
export function leaveOut<Item>(
  items: readonly Item[],
  { holds, work }: { holds: (items: readonly Item[]) => boolean; work: number },
): readonly Item[] {
  let kept = items
  let left = work
  for (let size = Math.ceil(items.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < kept.length;) {
      const without = kept.toSpliced(start, size)
      left -= without.length
      if (left < 0) return kept
      if (holds(without)) kept = without
      else start += size
    }
  }
  return kept
}
