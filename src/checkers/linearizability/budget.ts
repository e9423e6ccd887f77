/** What the tables of a search take at most where nothing is declared: below the heap that Node gets on a small machine. */
const undeclaredBytes = 1_200_000_000

/**
 * What is left for the tables of a search, in bytes, of a declared limit (MB) on the whole process; its history is in
 * memory already. 0 when nothing is left.
 */
export function bytesForTables(memoryMb: number | undefined): number {
  if (memoryMb === undefined) return undeclaredBytes
  return Math.max(0, memoryMb * 1e6 - process.memoryUsage.rss())
}
