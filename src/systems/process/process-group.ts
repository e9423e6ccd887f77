import { readdir } from 'node:fs/promises'
import { execa } from 'execa'
import { readProcStat } from './proc-stat.js'
import { isStopped } from './stopped.js'

/** A living process of a group. */
export interface GroupMember {
  readonly pid: number
  /** Stopped by a signal. */
  readonly stopped: boolean
  /** Null where it cannot be read. */
  readonly cpuMs: number | null
}

/** The processes of a group, without those that have ended and only wait to be reaped. */
export async function groupMembers(group: number): Promise<readonly GroupMember[]> {
  return process.platform === 'linux' ? membersFromProc(group) : membersFromPs(group)
}

/** Sends a signal to every process of a group. False when the group has no process left. */
export function signalGroup(group: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-group, signal)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // macOS answers EPERM instead of ESRCH for a group in which only zombies are left.
    if (code === 'ESRCH' || code === 'EPERM') return false
    throw error
  }
}

async function membersFromProc(group: number): Promise<readonly GroupMember[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const stats = await Promise.all(pids.map(readProcStat))
  const members = stats
    .filter((stat) => stat !== null)
    .filter((stat) => stat.group === group && stat.state !== 'Z' && stat.state !== 'X')
  return Promise.all(
    members.map(async ({ pid, state, cpuMs }) => ({
      pid,
      stopped: await isStopped(`/proc/${pid}`, state),
      cpuMs,
    })),
  )
}

/** For systems without /proc. CPU time is left out: `ps` rounds it to a hundredth of a minute on some of them. */
async function membersFromPs(group: number): Promise<readonly GroupMember[]> {
  const { stdout } = await execa('ps', ['-axo', 'pid=,pgid=,state='], { timeout: 5_000 })
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, pgid, state]) => Number(pgid) === group && !state?.startsWith('Z'))
    .map(([pid, , state]) => ({ pid: Number(pid), stopped: state?.startsWith('T') ?? false, cpuMs: null }))
}
