import { readFileSync } from 'node:fs'

/**
 * True when the kernel keeps the process's control group from running, as it does a paused container's (cgroups(7): the
 * freezer of version 1, `cgroup.freeze` of version 2). False when that cannot be read.
 */
export function isFrozen(pid: number): boolean {
  return linesOf(`/proc/${pid}/cgroup`).some((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    if (controllers === 'freezer')
      return linesOf(`/sys/fs/cgroup/freezer${path}/freezer.state`).includes('FROZEN')
    return controllers === '' && linesOf(`/sys/fs/cgroup${path}/cgroup.events`).includes('frozen 1')
  })
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'latin1').split('\n')
  } catch {
    // The process has ended, or groups are mounted elsewhere: then nothing is known to be frozen.
    return []
  }
}
