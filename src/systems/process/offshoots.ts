import { readdir, readFile } from 'node:fs/promises'
import { processTree } from '../storage/strace/process-tree.js'
import { readProcStat } from './proc-stat.js'
import type { GroupMember } from './process-group.js'
import { isStopped } from './stopped.js'

/**
 * Processes that descend from the first one of a node and are not in its process group, such as the workers of PostgreSQL,
 * which have sessions of their own: no signal to the group reaches them, and they serve clients by themselves.
 *
 * Once seen they are remembered, as their descent cannot be told when the first process has ended. Linux only; elsewhere
 * there are none.
 */
export class Offshoots {
  readonly #first: number
  /** Pid to start time, which tells a process from a later one of the same pid. */
  readonly #known = new Map<number, string>()

  constructor(first: number) {
    this.#first = first
  }

  /** Looks for new ones. */
  async look(): Promise<void> {
    if (process.platform !== 'linux') return
    const stats = await Promise.all((await descendantsOf(this.#first)).map(readProcStat))
    for (const stat of stats) {
      if (stat !== null && stat.group !== this.#first) this.#known.set(stat.pid, stat.startTime)
    }
  }

  /** Those that live. */
  async members(): Promise<readonly GroupMember[]> {
    const members = await Promise.all(
      [...this.#known].map(async ([pid, startTime]): Promise<GroupMember | null> => {
        const stat = await readProcStat(pid)
        if (stat !== null && stat.startTime === startTime && stat.state !== 'Z' && stat.state !== 'X') {
          return { pid, stopped: await isStopped(`/proc/${pid}`, stat.state), cpuMs: stat.cpuMs }
        }
        this.#known.delete(pid)
        return null
      }),
    )
    return members.filter((member) => member !== null)
  }

  async signal(signal: NodeJS.Signals): Promise<void> {
    for (const { pid } of await this.members()) {
      try {
        process.kill(pid, signal)
      } catch (error) {
        // It has ended by itself.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    }
  }
}

/**
 * The processes that descend from another one, by the list of children that the kernel keeps for each thread: a look at all
 * processes of the machine would delay a kill. Kernels may be built without these lists.
 */
async function descendantsOf(pid: number): Promise<readonly number[]> {
  if (!(await keepsChildren)) return (await processTree(pid)).filter((one) => one !== pid)
  const children = await childrenOf(pid)
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()]
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  try {
    const threads = await readdir(`/proc/${pid}/task`)
    const lists = await Promise.all(
      threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'latin1').catch(() => '')),
    )
    return lists.flatMap((list) =>
      list
        .split(' ')
        .filter((one) => one !== '')
        .map(Number),
    )
  } catch {
    // Gone by now.
    return []
  }
}

const keepsChildren = readFile(`/proc/${process.pid}/task/${process.pid}/children`).then(
  () => true,
  () => false,
)
