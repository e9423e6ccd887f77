import { sleep } from '../../time/sleep.js'
import { groupMembers } from '../process/process-group.js'
import { readProcStat } from '../process/proc-stat.js'
import { processTree } from './strace/process-tree.js'

const stoppedWithinMs = 2_000

/**
 * Stops a node's processes by SIGSTOP: what descends from the first one, and its process group where it leads one. From
 * then on nothing of it acknowledges anything, so that it can be killed without having seen its disk fail. One that does
 * not stop within two seconds, as it waits for a disk, is left as it is.
 */
export async function freeze(pid: number): Promise<void> {
  const deadline = performance.now() + stoppedWithinMs
  for (;;) {
    const members = await membersOf(pid)
    for (const member of members) signal(member)
    const states = await Promise.all(members.map(readProcStat))
    const running = states.some((stat) => stat !== null && !['T', 't', 'Z', 'X'].includes(stat.state))
    // Looked at once more: a process may have been forked while the others were being stopped.
    if (!running && (await membersOf(pid)).length === members.length) return
    if (performance.now() > deadline) return
    await sleep(2)
  }
}

async function membersOf(pid: number): Promise<readonly number[]> {
  const [tree, group] = await Promise.all([processTree(pid), groupMembers(pid)])
  return [...new Set([...tree, ...group.map((member) => member.pid)])]
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGSTOP')
  } catch (error) {
    // It has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
