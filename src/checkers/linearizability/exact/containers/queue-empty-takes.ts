import { never, type Part, type Violation } from '../../part.js'
import { coresOf, coveringChain, freeGaps, type Cores } from './cores.js'
import type { Elements } from './elements.js'
import { firstImpossible } from './empty-takes.js'
import { unknownTakesBefore, witnessOf, type Deadlines } from './queue-deadlines.js'
import { countsOf, type Counts } from './queue-counts.js'
import { RangeTree } from './range-tree.js'
import { listed, lives, thereAllAlong, unknownTakesIn } from './words.js'

/**
 * A take that found the queue empty when it cannot have been, although takes of unknown outcome may have removed
 * elements; null when there is none.
 *
 * The queue can be empty in a gap when no element is there that a take returned later, and when from there on, at every
 * time, the takes of unknown outcome begun so far are enough for the elements that were put before the gap or are past
 * their deadlines. Every empty take needs such a gap, and these do not get in one another's way: what had to be gone in an
 * earlier gap has to be gone in a later one too. O(n log n): gaps are tried from the last to the first.
 */
export function falseEmptyDespiteUnknown(
  part: Part,
  elements: Elements,
  deadlines: Deadlines,
): Violation | null {
  if (elements.emptyTakes.length === 0) return null
  // Elements that no take returned are counted, not placed.
  const cores = coresOf(elements, new Int32Array(elements.count))
  const counts = countsOf(part, deadlines)
  const free = freeGaps(part, cores)
  closeShortGaps(free, { part, elements, deadlines, counts })
  const take = firstImpossible(part, elements, free)
  return take === null ? null : violation(part, { take, elements, deadlines, cores, counts })
}

/** Marks the gaps as not free from where on the takes of unknown outcome would not be enough. */
function closeShortGaps(
  free: Uint8Array,
  {
    part,
    elements,
    deadlines,
    counts,
  }: { part: Part; elements: Elements; deadlines: Deadlines; counts: Counts },
): void {
  const { unseen, deadline } = deadlines
  const { periodAt, spare } = counts
  const periodOf = (rank: number) => (rank === never ? spare.length : (periodAt[rank] as number))

  const elementReturning = new Int32Array(part.events)
  const waiting = new Int32Array(spare.length + 1)
  for (const element of unseen) {
    elementReturning[elements.putComplete[element] as number] = element + 1
    const due = periodOf(deadline[element] as number)
    waiting[due] = (waiting[due] as number) + 1
  }
  // Beginning behind the last gap: every unseen element was put before.
  const numbers = Int32Array.from(spare)
  for (let period = spare.length - 1, later = 0; period >= 0; period -= 1) {
    later += waiting[period + 1] as number
    numbers[period] = (numbers[period] as number) - later
  }
  const tree = new RangeTree(numbers)
  let enough = true
  let period = -1
  for (let gap = free.length - 1; gap >= 0; gap -= 1) {
    if (periodAt[gap] !== period) {
      period = periodAt[gap] as number
      enough = tree.leastOf(period, spare.length) >= 0
    }
    if (!enough) free[gap] = 0
    const element = (elementReturning[gap] as number) - 1
    if (element < 0) continue
    tree.add(0, periodOf(deadline[element] as number), 1)
    enough = tree.leastOf(period, spare.length) >= 0
  }
}

function violation(
  part: Part,
  {
    take,
    elements,
    deadlines,
    cores,
    counts,
  }: { take: number; elements: Elements; deadlines: Deadlines; cores: Cores; counts: Counts },
): Violation {
  const start = part.invoke[take] as number
  const end = part.complete[take] as number
  const counted = new Set<number>()
  const witnesses: number[] = []
  let lastRank = -1
  const chain = coveringChain(cores, {
    start,
    end,
    bridge(gap) {
      const shortage = shortageFrom(gap, { end, elements, deadlines, counts })
      for (const element of shortage.elements) counted.add(element)
      // Something put before the gap had to be gone for it; something put later is due because of another element.
      if (shortage.elements.some((element) => (elements.putComplete[element] as number) > gap)) {
        witnesses.push(witnessOf(elements, shortage.rank))
      }
      lastRank = Math.max(lastRank, shortage.rank)
      return shortage.rank + 1
    },
  })
  const unknown = unknownTakesBefore(part, elements, lastRank + 1)
  return {
    type: 'false-empty',
    operations: [take, ...lives(elements, [...chain, ...counted, ...witnesses]), ...unknown],
    explain: ({ tell, value }) => {
      const seen = chain.map((element) => value(element))
      if (counted.size === 0) return `${tell(take)} found nothing, although ${thereAllAlong(seen)}.`
      const unseen = listed([...counted].map((element) => value(element)))
      return (
        `${tell(take)} found nothing, although ${seen.length === 0 ? '' : `${listed(seen)} ${seen.length === 1 ? 'was' : 'were'} there for a part of the time, and `}` +
        `no take returned ${unseen}. Only ${unknownTakesIn(unknown.length)} had begun that could have removed them in time.`
      )
    },
  }
}

/**
 * Elements that had to be gone by some rank at or after the gap, were the queue empty in the gap, one more than takes
 * of unknown outcome had begun by then. Then it was not empty in any gap up to that rank either.
 */
function shortageFrom(
  gap: number,
  {
    end,
    elements,
    deadlines,
    counts,
  }: { end: number; elements: Elements; deadlines: Deadlines; counts: Counts },
): { rank: number; elements: number[] } {
  const { unseen, deadline, takesBegin } = deadlines
  const before = unseen.filter((element) => (elements.putComplete[element] as number) <= gap)
  const after = unseen.filter((element) => (elements.putComplete[element] as number) > gap)
  let best: { rank: number; elements: number[] } | null = null
  let begun = 0
  let due = 0
  for (let period = counts.periodAt[gap] as number; period < counts.spare.length; period += 1) {
    const rank = (counts.starts[period + 1] as number) - 1
    while (begun < takesBegin.length && (takesBegin[begun] as number) <= rank) begun += 1
    while (due < after.length && (deadline[after[due] as number] as number) <= rank) due += 1
    if (before.length + due <= begun) continue
    best = { rank, elements: [...before, ...after.slice(0, due)].slice(0, begun + 1) }
    if (rank >= end - 1) break
  }
  if (best === null) throw new Error('the takes of unknown outcome are enough')
  return best
}
