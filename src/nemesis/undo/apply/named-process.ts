import { FaultError } from '../../../errors.js'
import { processStartTime } from '../../../systems/process/start-time.js'
import { signalGroup } from '../../../systems/process/process-group.js'
import { becomes } from '../../../time/wait.js'

/** A process by pid and start time. */
export interface NamedProcess {
  readonly pid: number
  readonly startTime: string | null
}

const goneWithinMs = 3_000

/** Kills the process and its group. False when it is gone already. Throws FaultError when it does not go. */
export async function endProcess(named: NamedProcess): Promise<boolean> {
  if (!(await isThere(named))) return false
  signal(named.pid, 'SIGKILL')
  if (await becomes(async () => !(await isThere(named)), { withinMs: goneWithinMs })) return true
  throw new FaultError('undo', `process ${named.pid} is still there after SIGKILL`)
}

/** Continues the process and its group. False when it is gone already. */
export async function resumeProcess(named: NamedProcess): Promise<boolean> {
  if (!(await isThere(named))) return false
  signal(named.pid, 'SIGCONT')
  return true
}

/**
 * True when the very process is alive. A pid that has been handed out again has another start time and is not touched.
 * Throws FaultError when the start time is not known and the pid is in use: then nothing can tell whose it is.
 */
async function isThere({ pid, startTime }: NamedProcess): Promise<boolean> {
  const now = await processStartTime(pid)
  if (now === null) return false
  if (startTime !== null) return now === startTime
  throw new FaultError('undo', `pid ${pid} is in use, and when it was started was not recorded`, {
    hint: 'look whether it is a left-over of the run, and end it yourself if it is',
  })
}

/** Signals the group that the process leads, or the process alone when it leads none. */
function signal(pid: number, name: 'SIGKILL' | 'SIGCONT'): void {
  if (signalGroup(pid, name)) return
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
