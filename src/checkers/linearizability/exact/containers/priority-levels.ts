import { none, type Part } from '../../part.js'
import type { Elements } from './elements.js'

/** The elements that were put, by priority: equal ones together, the highest first. */
export function levelsOf(part: Part, { put }: Elements): { priority: number; elements: Int32Array }[] {
  const priority = (element: number) => part.b[put[element] as number] as number
  const sorted = Int32Array.from([...put.keys()].filter((element) => put[element] !== none)).sort(
    (x, y) => priority(y) - priority(x),
  )
  const levels: { priority: number; elements: Int32Array }[] = []
  for (let start = 0, end = 0; start < sorted.length; start = end) {
    const level = priority(sorted[start] as number)
    while (end < sorted.length && priority(sorted[end] as number) === level) end += 1
    levels.push({ priority: level, elements: sorted.subarray(start, end) })
  }
  return levels
}

/** The gaps in which a polled element can have been polled. */
export function pollWindow(
  { putInvoke, takeInvoke, takeComplete }: Elements,
  element: number,
): { start: number; end: number } {
  const start = Math.max(putInvoke[element] as number, takeInvoke[element] as number)
  return { start, end: takeComplete[element] as number }
}
