import type { Part } from '../../part.js'

/** The processes of the part, counted from 0 within it: those of the whole history may be many more. */
export function localProcesses({ count, process }: Part): { of: Int32Array; count: number } {
  const ids = new Map<number, number>()
  const of = new Int32Array(count)
  for (let i = 0; i < count; i += 1) {
    const id = ids.get(process![i]!)
    if (id === undefined) ids.set(process![i]!, ids.size)
    of[i] = id ?? ids.size - 1
  }
  return { of, count: ids.size }
}
