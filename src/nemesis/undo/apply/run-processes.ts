import { readdir, readFile, readlink } from 'node:fs/promises'
import { FaultError } from '../../../errors.js'
import { readProcStat } from '../../../systems/process/proc-stat.js'
import { becomes } from '../../../time/wait.js'

const goneWithinMs = 3_000

/**
 * Ends every process that carries `NEMESIS_RUN=<run>` in its environment, or writes its output into the run's own
 * directory of logs, with the whole process group where the group's leader is one of them too. Servers such as Redis
 * write their title over their environment, so the mark alone is not enough. Needs /proc; elsewhere the entries of the
 * single processes have to do. Returns how many were ended. Throws FaultError for those that are still there after
 * three seconds.
 */
export async function endRunProcesses(run: string, logs: string | null): Promise<number> {
  if (process.platform !== 'linux') return 0
  const ended = new Set<number>()
  let left: readonly number[] = []
  // A process may have been forked while the list was read, so it is read until it is empty.
  const gone = await becomes(
    async () => {
      left = await marked(run, logs)
      for (const pid of left) {
        ended.add(pid)
        await killWithGroup(pid, left)
      }
      return left.length === 0
    },
    { withinMs: goneWithinMs },
  )
  if (gone) return ended.size
  throw new FaultError('undo', `processes ${left.join(', ')} of run ${run} are still there after SIGKILL`, {
    hint: 'they may belong to another user: end them yourself',
  })
}

/** Pids of living processes of the run; never this process. */
async function marked(run: string, logs: string | null): Promise<readonly number[]> {
  const mark = `NEMESIS_RUN=${run}`
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(
    pids.map(async (pid) =>
      (await carries(pid, mark)) || (logs !== null && (await writesInto(pid, logs))) ? [pid] : [],
    ),
  )
  return found.flat().filter((pid) => pid !== process.pid)
}

async function carries(pid: number, mark: string): Promise<boolean> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1')
    return environment.split('\0').includes(mark) && (await readProcStat(pid))?.state !== 'Z'
  } catch {
    // Gone by now, or another user's, which this run cannot have started.
    return false
  }
}

/** True when standard output or error of the process is a file in the directory, even one that has been removed. */
async function writesInto(pid: number, directory: string): Promise<boolean> {
  for (const descriptor of [1, 2]) {
    try {
      if ((await readlink(`/proc/${pid}/fd/${descriptor}`)).startsWith(`${directory}/`)) return true
    } catch {
      // Gone by now, closed, or another user's.
    }
  }
  return false
}

async function killWithGroup(pid: number, all: readonly number[]): Promise<void> {
  const stat = await readProcStat(pid)
  // The group of a process whose leader is no part of the run may be that of the test runner or of a shell.
  const group = stat !== null && all.includes(stat.group) ? -stat.group : pid
  for (const target of new Set([group, pid])) {
    try {
      process.kill(target, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
