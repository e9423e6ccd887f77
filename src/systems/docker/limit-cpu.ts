import { EnvironmentError, messageOf } from '../../errors.js'
import type { UndoJournal } from '../../nemesis/undo/journal.js'
import type { CpuLimit } from '../capabilities.js'
import { cpuGroupOf, throttledIn, type Throttled } from '../cpu/control-group.js'
import { periodUs, quotaUs } from '../cpu/quota.js'
import { textOf } from '../cpu/text-of.js'
import { engineAt, statusOf, type Engine } from './engine.js'

/** The limit that a container had before: as CPUs (`nano`), or as a quota of a period; 0 for none. */
export interface CpuBefore {
  readonly nano: number
  readonly quotaUs: number
  readonly periodUs: number
}

/**
 * Lets a container have so many CPUs, by an update of it. It holds over restarts. Journalled first. Throws
 * EnvironmentError where the engine cannot.
 */
export async function limitContainer(
  engine: Engine,
  {
    node,
    id,
    cpus,
    host,
    journal,
  }: {
    readonly node: string
    readonly id: string
    readonly cpus: number
    readonly host: string | null
    readonly journal: UndoJournal
  },
): Promise<CpuLimit> {
  const container = engine.getContainer(id)
  const before = await limitOf(engine, id)
  const entry = await journal.open({ kind: 'docker-cpu', container: id, host, before })
  let removed = false
  const remove = async (): Promise<void> => {
    if (removed) return
    await restoreCpu(id, before, host)
    removed = true
    await journal.close(entry)
  }
  const started = await throttledOf(engine, id)
  // An engine refuses to mix the two ways in which a limit may be given.
  const wanted: CpuBefore =
    before.nano > 0
      ? { ...before, nano: Math.round(cpus * 1e9) }
      : { nano: 0, quotaUs: quotaUs(cpus), periodUs }
  try {
    await container.update(asUpdate(wanted))
  } catch (error) {
    await remove()
    throw new EnvironmentError(
      'CPU quotas of the engine',
      `${node}: its CPU time cannot be limited: ${messageOf(error)}`,
      "use an engine with CPU quotas (docker info), or by: 'pause'",
    )
  }
  return {
    mechanism: 'CPU quota of the container (Docker API: update)',
    async throttled() {
      const now = await throttledOf(engine, id)
      // A container that was started anew counts from zero.
      return now.periods < started.periods
        ? now
        : { periods: now.periods - started.periods, ms: now.ms - started.ms }
    },
    async lost() {
      const { State: state } = await container.inspect()
      if (!state.Running) return `${node} is down`
      const now = await limitOf(engine, id)
      return now.nano === wanted.nano && now.quotaUs === wanted.quotaUs
        ? null
        : `something else has changed the CPU limit of ${node}`
    },
    remove,
    present: async () => {
      const now = await limitOf(engine, id)
      return now.nano !== before.nano || Math.max(0, now.quotaUs) !== Math.max(0, before.quotaUs)
    },
  }
}

/** Gives a container the CPU limit back that it had. False for one that is gone. */
export async function restoreCpu(id: string, before: CpuBefore, host: string | null): Promise<boolean> {
  try {
    await (await engineAt(host)).getContainer(id).update(asUpdate(before))
    return true
  } catch (error) {
    if (statusOf(error) !== 404) throw error
    return false
  }
}

function asUpdate({ nano, quotaUs: quota, periodUs: period }: CpuBefore): object {
  if (nano > 0) return { NanoCpus: nano }
  // Zero would mean to leave it as it is.
  return { CpuPeriod: period === 0 ? periodUs : period, CpuQuota: quota === 0 ? -1 : quota }
}

async function limitOf(engine: Engine, id: string): Promise<CpuBefore> {
  const { HostConfig: config } = await engine.getContainer(id).inspect()
  return {
    nano: config.NanoCpus ?? 0,
    quotaUs: config.CpuQuota ?? 0,
    periodUs: config.CpuPeriod ?? 0,
  }
}

/** From the container's control group where the engine runs on this kernel, else by asking the engine. */
async function throttledOf(engine: Engine, id: string): Promise<Throttled> {
  const container = engine.getContainer(id)
  const { State: state } = await container.inspect()
  if (state.Pid > 0 && (await textOf(`/proc/${state.Pid}/cgroup`))?.includes(id) === true) {
    const group = await cpuGroupOf(state.Pid)
    const counts = group === null ? null : await throttledIn(group.directory)
    if (counts !== null) return counts
  }
  const stats = (await container.stats({ stream: false, 'one-shot': true })) as {
    cpu_stats?: { throttling_data?: { throttled_periods?: number; throttled_time?: number } }
  }
  const { throttled_periods: periods = 0, throttled_time: ns = 0 } = stats.cpu_stats?.throttling_data ?? {}
  return { periods, ms: ns / 1e6 }
}
