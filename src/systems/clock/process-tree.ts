import { readdirSync, readFileSync } from 'node:fs'
import { parseProcStat, type ProcStat } from '../process/proc-stat.js'

/** The ids of all processes of the machine that may be seen from here. */
export function allProcesses(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/**
 * A process, those of the group that it leads, and all that descend from any of these. Also from groups of their own,
 * as those of PostgreSQL are. Synchronous, as it is asked again while these processes stand still.
 */
export function processTree(root: number): readonly number[] {
  const stats = allProcesses().flatMap(statOf)
  const found = new Set<number>()
  const waiting = stats.filter(({ pid, group }) => pid === root || group === root)
  for (const stat of waiting) {
    if (found.has(stat.pid)) continue
    found.add(stat.pid)
    waiting.push(...stats.filter(({ parent }) => parent === stat.pid))
  }
  return [...found]
}

/** None for a process that has ended, also when it waits to be reaped. */
function statOf(pid: number): readonly ProcStat[] {
  try {
    const stat = parseProcStat(readFileSync(`/proc/${pid}/stat`, 'latin1'))
    return stat === null || stat.state === 'Z' || stat.state === 'X' ? [] : [stat]
  } catch {
    // Gone by now.
    return []
  }
}
