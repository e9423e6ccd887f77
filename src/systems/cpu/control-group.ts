import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { textOf } from './text-of.js'

/** The control group by which the kernel shares CPU time out to a process. */
export interface ControlGroup {
  readonly version: 1 | 2
  /** Its directory. */
  readonly directory: string
}

/** The group of a process; null where the kernel shares by none that can be seen here. */
export async function cpuGroupOf(pid: number): Promise<ControlGroup | null> {
  const groups = await textOf(`/proc/${pid}/cgroup`)
  const mounts = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  if (groups === null) return null
  const own = /^\d+:(?:[^:]*,)?cpu(?:,[^:]*)?:(.+)$/m.exec(groups)?.[1]
  if (own !== undefined) {
    const mount = mountPoint(mounts, (type, options) => type === 'cgroup' && options.includes('cpu'))
    return mount === null ? null : { version: 1, directory: join(mount, own) }
  }
  const unified = /^0::(.+)$/m.exec(groups)?.[1]
  const mount = mountPoint(mounts, (type) => type === 'cgroup2')
  return unified === undefined || mount === null ? null : { version: 2, directory: join(mount, unified) }
}

/** Where a file system that fits is mounted; its options are those after the last dash of its line. */
function mountPoint(
  mountinfo: string,
  fits: (type: string, options: readonly string[]) => boolean,
): string | null {
  for (const line of mountinfo.split('\n')) {
    const [before = '', after = ''] = line.split(' - ')
    const [type = '', , options = ''] = after.split(' ')
    if (fits(type, options.split(','))) return before.split(' ')[4] ?? null
  }
  return null
}

/** How often the kernel made a group wait because it had used up its time, and for how long in all. */
export interface Throttled {
  readonly periods: number
  readonly ms: number
}

/** Read from the group's `cpu.stat`; null when it is gone. */
export async function throttledIn(directory: string): Promise<Throttled | null> {
  const stat = await textOf(join(directory, 'cpu.stat'))
  if (stat === null) return null
  const count = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(stat)?.[1] ?? 0)
  return {
    periods: count('nr_throttled'),
    ms: count('throttled_usec') / 1e3 || count('throttled_time') / 1e6,
  }
}
