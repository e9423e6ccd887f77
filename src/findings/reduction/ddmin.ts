/** What is left of a list. */
export interface Reduced<Item> {
  readonly kept: readonly Item[]
  /** True when leaving out any single item of what is left was tried and did not fail. */
  readonly minimal: boolean
}

/**
 * Leaves items out of a failing list for as long as it fails without them, in order.
 *
 * `fails` tells whether a part of the list still fails, or null when there is no more trying: what is best so far is
 * then the answer, and is not minimal. No part is asked about twice. Whatever the predicate, the answer is 1-minimal;
 * the smallest of all failing parts it need not be.
 *
 * Source: A. Zeller and R. Hildebrandt, Simplifying and Isolating Failure-Inducing Input, IEEE TSE 28(2), 2002: ddmin,
 * and the empty list as well, which the paper takes to pass.
 */
export async function ddmin<Item>(
  items: readonly Item[],
  fails: (part: readonly Item[]) => Promise<boolean | null>,
): Promise<Reduced<Item>> {
  const known = new Map<string, boolean>()
  let kept = items.map((_, index) => index)
  const ask = async (part: readonly number[]): Promise<boolean | null> => {
    const key = part.join()
    const answer = known.get(key) ?? (await fails(pick(items, part)))
    if (answer !== null) known.set(key, answer)
    return answer
  }
  for (let parts = 2; kept.length > 0;) {
    const next = await smaller(kept, Math.min(parts, kept.length), ask)
    if (next === null) return { kept: pick(items, kept), minimal: false }
    if (next.part !== null) {
      kept = [...next.part]
      parts = next.chunk ? 2 : Math.max(parts - 1, 2)
    } else if (parts < kept.length) parts *= 2
    else break
  }
  return { kept: pick(items, kept), minimal: true }
}

interface Smaller {
  /** The part that fails; null when none does. */
  readonly part: readonly number[] | null
  /** Whether it is one of the chunks, rather than all but one. */
  readonly chunk: boolean
}

/** The first of the chunks, then of the lists without one chunk, that fails; null when there is no more trying. */
async function smaller(
  kept: readonly number[],
  parts: number,
  ask: (part: readonly number[]) => Promise<boolean | null>,
): Promise<Smaller | null> {
  const chunks = split(kept, parts)
  const candidates = [
    // Of two halves each is what is left without the other.
    ...(parts > 2 ? chunks.map((part) => ({ part, chunk: true })) : []),
    ...chunks.map((chunk) => ({ part: kept.filter((index) => !chunk.includes(index)), chunk: false })),
  ]
  for (const candidate of candidates) {
    const answer = await ask(candidate.part)
    if (answer === null) return null
    if (answer) return candidate
  }
  return { part: null, chunk: false }
}

/** Consecutive chunks of nearly equal length. */
function split(indices: readonly number[], parts: number): number[][] {
  return Array.from({ length: parts }, (_, part) =>
    indices.slice(
      Math.floor((part * indices.length) / parts),
      Math.floor(((part + 1) * indices.length) / parts),
    ),
  )
}

function pick<Item>(items: readonly Item[], indices: readonly number[]): Item[] {
  return indices.map((index) => items[index] as Item)
}
