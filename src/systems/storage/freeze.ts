import type { UndoJournal } from '../../nemesis/undo/journal.js'
import { sleep } from '../../time/sleep.js'
import { groupMembers } from '../process/process-group.js'
import { readProcStat, type ProcStat } from '../process/proc-stat.js'
import { processTree } from './strace/process-tree.js'

const stoppedWithinMs = 2_000

/** The processes of a node, stopped. */
export interface Frozen {
  /** Ends all of them but the first one and its group, which is for whoever started the node to end. */
  killOthers(): Promise<void>
}

/**
 * Stops a node's processes by SIGSTOP: what descends from the first one, and its process group where it leads one. From
 * then on nothing of it acknowledges anything, so that it can be killed without having seen its disk fail. One that does
 * not stop within two seconds, as it waits for a disk, is left as it is.
 *
 * Servers such as PostgreSQL give their workers sessions of their own. No signal to the group reaches those, and while
 * they are stopped they do not notice that their parent has ended: their end is journalled first.
 */
export async function freeze(pid: number, journal: UndoJournal): Promise<Frozen> {
  const deadline = performance.now() + stoppedWithinMs
  const others = new Map<number, { readonly startTime: string; readonly entry: string }>()
  for (;;) {
    const members = await membersOf(pid)
    for (const { pid: other, startTime, group } of members) {
      if (group === pid || other === pid || others.has(other)) continue
      const entry = await journal.open({ kind: 'process', pid: other, startTime })
      others.set(other, { startTime, entry })
    }
    for (const member of members) signal(member.pid, 'SIGSTOP')
    const now = await membersOf(pid)
    const settled = now.every(({ pid: one, state }) => state.toUpperCase() === 'T' && wasThere(members, one))
    if (settled || performance.now() > deadline) break
    await sleep(2)
  }
  return {
    async killOthers() {
      for (const [other, { startTime, entry }] of others) {
        if ((await readProcStat(other))?.startTime === startTime) signal(other, 'SIGKILL')
        await journal.close(entry)
      }
    },
  }
}

function wasThere(members: readonly ProcStat[], pid: number): boolean {
  return members.some((member) => member.pid === pid)
}

async function membersOf(pid: number): Promise<readonly ProcStat[]> {
  const [tree, group] = await Promise.all([processTree(pid), groupMembers(pid)])
  const pids = new Set([...tree, ...group.map((member) => member.pid)])
  const stats = await Promise.all([...pids].map(readProcStat))
  return stats.filter((stat) => stat !== null).filter(({ state }) => state !== 'Z' && state !== 'X')
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGKILL'): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    // It has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
