import type { Random } from '../random/random.js'
import { prefix } from './cuts/prefix.js'
import { someElements } from './cuts/some-elements.js'
import type { CleanHistory } from './mutation.js'

/** A mutant of a base costs this share of a check of the whole history, so that many are affordable. */
const shareOfWhole = 40
/** Below that hardly anything happens in a history. */
const leastOperations = 24
const mostBases = 3

/**
 * Small histories that the checker finds clean as well: parts of the given one, on which a mutant costs little. None when
 * the history is small itself, or when the claim is about the whole so that the checker rejects its parts.
 */
export async function basesOf(
  history: CleanHistory,
  { random, isClean }: { random: Random; isClean: (base: CleanHistory) => Promise<boolean> },
): Promise<readonly CleanHistory[]> {
  const count = history.operations.length
  const size = Math.max(leastOperations, Math.ceil(count / shareOfWhole))
  if (size * 2 > count) return []
  for (const cut of [prefix, someElements]) {
    const bases: CleanHistory[] = []
    while (bases.length < mostBases) {
      const base = cut(history, { size, random })
      if (base === null || base.operations.length === 0 || !(await isClean(base))) break
      bases.push(base)
    }
    if (bases.length > 0) return bases
  }
  return []
}
