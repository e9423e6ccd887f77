import { textOf } from '../cpu/text-of.js'
import type { Engine } from './engine.js'

/**
 * Milliseconds of CPU that a container has used, by the kernel's account of its control group: read from the file when
 * the engine runs on this kernel, else asked of the engine (which may take a second). Null when neither knows.
 */
export async function cpuMsOf(
  engine: Engine,
  { id, pid }: { id: string; pid: number },
): Promise<number | null> {
  const local = await localCpuMs(id, pid)
  if (local !== null) return local
  const stats = (await engine.getContainer(id).stats({ stream: false, 'one-shot': true })) as {
    cpu_stats?: { cpu_usage?: { total_usage?: number } }
  }
  const used = stats.cpu_stats?.cpu_usage?.total_usage
  return used === undefined ? null : used / 1e6
}

async function localCpuMs(id: string, pid: number): Promise<number | null> {
  const groups = await textOf(`/proc/${pid}/cgroup`)
  // The same pid may be another process when the engine runs elsewhere; its groups then lack the container's id.
  if (groups === null || !groups.includes(id)) return null
  const accounting = /^\d+:(?:[^:]*,)?cpuacct(?:,[^:]*)?:(.+)$/m.exec(groups)?.[1]
  if (accounting !== undefined) {
    const nanoseconds = await textOf(`/sys/fs/cgroup/cpuacct${accounting}/cpuacct.usage`)
    return nanoseconds === null ? null : Number(nanoseconds) / 1e6
  }
  const unified = /^0::(.+)$/m.exec(groups)?.[1]
  const stat = unified === undefined ? null : await textOf(`/sys/fs/cgroup${unified}/cpu.stat`)
  const microseconds = stat === null ? undefined : /^usage_usec (\d+)$/m.exec(stat)?.[1]
  return microseconds === undefined ? null : Number(microseconds) / 1e3
}
