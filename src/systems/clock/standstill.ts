import { setTimeout as sleep } from 'node:timers/promises'
import { FaultError } from '../../errors.js'
import { isFrozen } from './frozen.js'
import { isGone } from './vdso.js'
import { allHeld, allStopped, threadsOf } from './threads.js'

const stopWithinMs = 5_000
const pollMs = 1
/** Threads that are held otherwise than by a stop signal are looked at twice, this far apart. */
const settleMs = 20

/** Processes that stand still. */
export interface Standstill {
  /** Stops one more process. Resolves when none of its threads runs; false when it has ended. */
  stop(pid: number): Promise<boolean>
  /** Lets all go on that were not stopped before. Never throws. */
  release(): void
}

/**
 * Stops processes by SIGSTOP, all of them before any goes on. What somebody else had stopped stays stopped afterwards,
 * unless `always` is set, which is for cleaning up after a run that died between stop and release.
 */
export function standstill({ always = false } = {}): Standstill {
  const stopped = new Set<number>()
  return {
    async stop(pid) {
      const before = threadsOf(pid)
      if (before.length === 0) return false
      if (always || !allStopped(before)) stopped.add(pid)
      const deadline = performance.now() + stopWithinMs
      for (;;) {
        // Again in each round: the process may have been continued by somebody else in between.
        if (!signal(pid, 'SIGSTOP')) return false
        const threads = threadsOf(pid)
        if (threads.length === 0) return false
        if (allStopped(threads)) return true
        if (allHeld(threads, isFrozen(pid))) {
          await sleep(settleMs)
          const later = threadsOf(pid)
          if (allHeld(later, isFrozen(pid)) && JSON.stringify(later) === JSON.stringify(threads)) return true
        }
        if (performance.now() > deadline) {
          throw new FaultError('clock', `process ${pid} did not stop within ${stopWithinMs} ms of SIGSTOP`, {
            hint: `see \`ps -L -o pid,lwp,state,wchan -p ${pid}\``,
          })
        }
        await sleep(pollMs)
      }
    },
    release() {
      for (const pid of stopped) signal(pid, 'SIGCONT')
      stopped.clear()
    },
  }
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    process.kill(pid, name)
    return true
  } catch (error) {
    if (isGone(error)) return false
    throw error
  }
}
