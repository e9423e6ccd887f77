import type { Random } from '../random/random.js'
import { prefix } from './cuts/prefix.js'
import { someElements } from './cuts/some-elements.js'
import type { CleanHistory } from './mutation.js'

/** A mutant of a base costs this share of a check of the whole history, so that many are affordable. */
const shareOfWhole = 40
/** Below that hardly anything happens in a history. */
const leastOperations = 24
const mostBases = 3
/** The size of the reserve, in parts. */
const reserveSize = 4

export const noBases: Bases = { parts: [], reserve: null, kind: 'prefixes' }

/** Small parts of a history that the checker finds clean as well: a mutant of one costs little. */
export interface Bases {
  readonly parts: readonly CleanHistory[]
  /** A larger part, for when these have no place for more mutants; null when it would have to be asked about first. */
  readonly reserve: CleanHistory | null
  /** What they are. */
  readonly kind: 'prefixes' | 'elements'
}

/**
 * Small parts of the history that the checker finds clean. None when the history is small itself, or when the claim is
 * about the whole, so that the checker rejects its parts.
 */
export async function basesOf(
  history: CleanHistory,
  {
    random,
    isClean,
  }: {
    random: Random
    /** Asks the checker; `always` when it is known that it finds the beginning of what it finds clean clean too. */
    isClean: 'always' | ((base: CleanHistory) => Promise<boolean>)
  },
): Promise<Bases> {
  const count = history.operations.length
  const size = Math.max(leastOperations, Math.ceil(count / shareOfWhole))
  for (const { cut, kind } of size * 2 > count ? [] : cuts) {
    const parts: CleanHistory[] = []
    while (parts.length < mostBases) {
      const part = cut(history, { size, random })
      if (part === null || part.operations.length === 0) break
      if (isClean !== 'always' && !(await isClean(part))) break
      parts.push(part)
    }
    const reserve = isClean === 'always' ? cut(history, { size: reserveSize * size, random }) : null
    if (parts.length > 0) return { parts, reserve, kind }
  }
  return noBases
}

const cuts = [
  { cut: prefix, kind: 'prefixes' },
  { cut: someElements, kind: 'elements' },
] as const
