import { readFile } from 'node:fs/promises'

/** What `/proc/<pid>/stat` says about a process. */
export interface ProcStat {
  readonly pid: number
  /** One letter: `R` running, `S` sleeping, `T` stopped by a signal, `Z` ended and not yet waited for, … */
  readonly state: string
  /** Pid of the process that started it, or of the one that took it over. */
  readonly parent: number
  readonly group: number
  /** CPU time of the process and of its children that have been waited for. */
  readonly cpuMs: number
  /** Clock ticks since boot at which it started, as text: compared, never calculated with. */
  readonly startTime: string
}

/** Linux reports CPU time to user space in hundredths of a second (USER_HZ), whatever the kernel's own tick. */
const msPerTick = 10

/** Reads `/proc/<pid>/stat` (proc(5)). Null when there is no such process, or no such file system. */
export async function readProcStat(pid: number): Promise<ProcStat | null> {
  try {
    return parseProcStat(await readFile(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    // The process is gone (ENOENT, or ESRCH when it ends during the read): that is the answer.
    return null
  }
}

/** Parses one stat line. The command in parentheses may itself hold spaces and parentheses. */
export function parseProcStat(line: string): ProcStat | null {
  const open = line.indexOf('(')
  const close = line.lastIndexOf(')')
  if (open < 0 || close < open) return null
  // The third field of proc(5) comes first here, so field n is at index n - 3.
  const fields = line.slice(close + 2).split(' ')
  const field = (number: number): string => fields[number - 3] ?? ''
  const ticks = [14, 15, 16, 17].reduce((sum, number) => sum + Number(field(number)), 0)
  return {
    pid: Number(line.slice(0, open)),
    state: field(3),
    parent: Number(field(4)),
    group: Number(field(5)),
    cpuMs: ticks * msPerTick,
    startTime: field(22),
  }
}
