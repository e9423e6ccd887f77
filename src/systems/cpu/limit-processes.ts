import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EnvironmentError, FaultError, messageOf } from '../../errors.js'
import type { UndoJournal } from '../../nemesis/undo/journal.js'
import type { CpuLimit } from '../capabilities.js'
import { cpuGroupOf, throttledIn, type ControlGroup } from './control-group.js'
import { periodUs, quotaUs } from './quota.js'
import { dissolveGroup } from './undo.js'

/** A process that is being forked while all are moved is found in the next round. */
const roundsMax = 50

export interface LimitProcessesOptions {
  readonly node: string
  readonly cpus: number
  /** The node's processes as they are now, the first one first; empty when it is down. */
  readonly pids: () => Promise<readonly number[]>
  readonly journal: UndoJournal
}

/**
 * Puts the processes of a node into a control group of their own that gets so many CPUs. What they fork comes with them.
 * Journalled first. Throws EnvironmentError where groups cannot be made, FaultError when the node is down.
 */
export async function limitProcesses({
  node,
  cpus,
  pids,
  journal,
}: LimitProcessesOptions): Promise<CpuLimit> {
  const [first] = await pids()
  if (first === undefined) {
    throw new FaultError('cpu', `${node} is down: its CPU time cannot be limited`, {
      hint: 'order the faults so that the node runs then',
    })
  }
  const home = await cpuGroupOf(first)
  if (home === null) throw lacking('the kernel shows no control group for CPU time')
  const directory = join(parentFor(home), `nemesis-cpu-${randomBytes(5).toString('hex')}`)
  const entry = await journal.open({ kind: 'cpu-group', directory, home: home.directory })
  let removed = false
  const remove = async (): Promise<void> => {
    if (removed) return
    await dissolveGroup({ directory, home: home.directory })
    removed = true
    await journal.close(entry)
  }
  const inside = async (): Promise<ReadonlySet<number>> => new Set(await membersOf(directory))
  try {
    await make(directory, { version: home.version, quota: quotaUs(cpus) })
    for (let round = 0; ; round++) {
      const there = await inside()
      const outside = (await pids()).filter((pid) => !there.has(pid))
      if (outside.length === 0) break
      if (round === roundsMax) throw new FaultError('cpu', `not all processes of ${node} could be limited`)
      for (const pid of outside) await moveTo(directory, pid)
    }
  } catch (error) {
    await remove()
    throw error
  }
  return {
    mechanism: `CPU quota of a control group (v${home.version})`,
    throttled: async () => (await throttledIn(directory)) ?? { periods: 0, ms: 0 },
    async lost() {
      const [now] = await pids()
      if (now === undefined) return `${node} is down`
      if (removed || (await inside()).has(now)) return null
      return now === first
        ? `something else has taken ${node} out of its control group`
        : `${node} was started anew, outside of its control group`
    },
    remove,
    present: async () => (await throttledIn(directory)) !== null,
  }
}

/** A group below that of the process; with version 2, where only a group without processes has others below it, beside it. */
function parentFor({ version, directory }: ControlGroup): string {
  return version === 1 ? directory : dirname(directory)
}

async function make(
  directory: string,
  { version, quota }: { readonly version: 1 | 2; readonly quota: number },
): Promise<void> {
  try {
    await mkdir(directory)
    if (version === 1) {
      await writeFile(join(directory, 'cpu.cfs_period_us'), String(periodUs))
      await writeFile(join(directory, 'cpu.cfs_quota_us'), String(quota))
    } else {
      // Where the controller is not handed down there is no such file, and none can be made.
      await writeFile(join(directory, 'cpu.max'), `${quota} ${periodUs}`, { flag: 'r+' })
    }
  } catch (error) {
    throw lacking(messageOf(error))
  }
}

async function membersOf(directory: string): Promise<readonly number[]> {
  return (await readFile(join(directory, 'cgroup.procs'), 'utf8')).split('\n').filter(Boolean).map(Number)
}

async function moveTo(directory: string, pid: number): Promise<void> {
  await writeFile(join(directory, 'cgroup.procs'), String(pid)).catch((error: NodeJS.ErrnoException) => {
    // It has ended in the meantime.
    if (error.code !== 'ESRCH') throw error
  })
}

function lacking(reason: string): EnvironmentError {
  return new EnvironmentError(
    'control groups for CPU time',
    `the CPU time of processes cannot be limited here: ${reason}`,
    "run the tests as root on Linux with the cpu controller, or use by: 'pause'",
  )
}
