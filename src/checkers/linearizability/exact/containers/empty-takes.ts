import type { Part, Violation } from '../../part.js'
import { coveringChain, freeGaps, type Cores } from './cores.js'
import type { Elements } from './elements.js'
import { lives, thereAllAlong } from './words.js'

/**
 * A take that found the container empty although, all the time that it ran, some element was certainly there; null when
 * there is none. Linear.
 */
export function falseEmpty(part: Part, elements: Elements, cores: Cores): Violation | null {
  if (elements.emptyTakes.length === 0) return null
  const take = firstImpossible(part, elements, freeGaps(part, cores))
  if (take === null) return null
  const chain = coveringChain(cores, {
    start: part.invoke[take] as number,
    end: part.complete[take] as number,
  })
  return {
    type: 'false-empty',
    operations: [take, ...lives(elements, chain)],
    explain: ({ tell, value }) =>
      `${tell(take)} found nothing, although ${thereAllAlong(chain.map((element) => value(element)))}.`,
  }
}

/** The empty take that returns first among those during which no gap is free; null when each has one. */
export function firstImpossible(part: Part, { emptyTakes }: Elements, free: Uint8Array): number | null {
  const freeBefore = new Int32Array(free.length + 1)
  let before = 0
  for (let gap = 0; gap < free.length; gap += 1) {
    before += free[gap] as number
    freeBefore[gap + 1] = before
  }
  let first: number | null = null
  for (const take of emptyTakes) {
    const returns = part.complete[take] as number
    if (freeBefore[returns] !== freeBefore[part.invoke[take] as number]) continue
    if (first === null || returns < (part.complete[first] as number)) first = take
  }
  return first
}
