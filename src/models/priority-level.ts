/**
 * The elements of one priority, of which some are gone although it is not known which.
 *
 * Waves come one after the other: the `gone` of a wave left after its elements had come and before those of the next
 * wave did, so they are among the elements of this wave and the earlier ones.
 */
export interface PriorityLevel {
  readonly priority: number
  readonly waves: readonly Wave[]
}

interface Wave {
  /** Names of elements, sorted. */
  readonly elements: readonly string[]
  readonly gone: number
}

/** The level with one more element. */
export function withElement({ priority, waves }: PriorityLevel, element: string): PriorityLevel {
  const last = waves.at(-1)
  if (last === undefined || last.gone > 0) {
    return { priority, waves: [...waves, { elements: [element], gone: 0 }] }
  }
  const elements = [...last.elements, element].toSorted()
  return { priority, waves: [...waves.slice(0, -1), { elements, gone: 0 }] }
}

/** The level after some element of it left; null when none is left. */
export function withoutAny({ priority, waves }: PriorityLevel): PriorityLevel | null {
  const gone = (waves.at(-1)?.gone ?? 0) + 1
  const after = settled(
    priority,
    waves.map((wave, index) => (index === waves.length - 1 ? { ...wave, gone } : wave)),
  )
  if (after === undefined) throw new Error('a level has an element left')
  return after
}

/** The level after the element left; null when none is left, undefined when the element cannot be there. */
export function without(
  { priority, waves }: PriorityLevel,
  element: string,
): PriorityLevel | null | undefined {
  const index = waves.findLastIndex(({ elements }) => elements.includes(element))
  const wave = waves[index]
  if (wave === undefined) return undefined
  const at = wave.elements.indexOf(element)
  return settled(priority, waves.with(index, { ...wave, elements: wave.elements.toSpliced(at, 1) }))
}

/** One form for equal levels. Undefined when more are gone than there were. */
function settled(priority: number, waves: readonly Wave[]): PriorityLevel | null | undefined {
  let kept: Wave[] = []
  let left = 0
  for (const wave of waves) {
    left += wave.elements.length - wave.gone
    if (left < 0) return undefined
    // Everything so far is gone.
    if (left === 0) kept = []
    else if (wave.elements.length > 0) kept.push(wave)
    else kept.push(joined(kept.pop(), wave))
  }
  return left === 0 ? null : { priority, waves: kept }
}

function joined(before: Wave | undefined, { gone }: Wave): Wave {
  if (before === undefined) throw new Error('elements are left, so there is an earlier wave')
  return { elements: before.elements, gone: before.gone + gone }
}
