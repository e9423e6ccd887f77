import { readdir } from 'node:fs/promises'
import { readProcStat } from '../process/proc-stat.js'

/**
 * A process, those of the group that it leads, and all that descend from any of these. Also from groups of their own,
 * as those of PostgreSQL are.
 */
export async function processTree(root: number): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const stats = (await Promise.all(pids.map(readProcStat)))
    .filter((stat) => stat !== null)
    .filter(({ state }) => state !== 'Z' && state !== 'X')
  const found = new Set<number>()
  const waiting = stats.filter(({ pid, group }) => pid === root || group === root)
  for (const stat of waiting) {
    if (found.has(stat.pid)) continue
    found.add(stat.pid)
    waiting.push(...stats.filter(({ parent }) => parent === stat.pid))
  }
  return [...found]
}
