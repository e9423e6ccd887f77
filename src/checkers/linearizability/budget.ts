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

/** Measured on a million operations: parts and the scratch space of the exact checkers. */
const bytesPerOperation = 100

/** Why a history of so many operations cannot be judged within a declared limit (MB) on the whole process; null when it can. */
export function tooLarge(operations: number, memoryMb: number | undefined): string | null {
  if (memoryMb === undefined) return null
  const needed = Math.ceil((process.memoryUsage.rss() + operations * bytesPerOperation) / 1e6)
  if (needed <= memoryMb) return null
  return `the memory limit of ${memoryMb} MB is not enough for ${operations} operations; about ${needed} MB would help`
}
