import { messageOf, SystemError } from '../../errors.js'
import type { UndoJournal } from '../../nemesis/undo/journal.js'
import type { Lifecycle } from '../capabilities.js'
import type { Address } from '../system.js'
import { connectProbe } from './connect-probe.js'
import { cpuMsOf } from './cpu.js'
import type { Engine } from './engine.js'
import { exitReport } from './exit-report.js'
import { nodeNamed } from '../netns/node-named.js'
import { limitContainer } from './limit-cpu.js'
import type { DockerNode } from './node.js'
import { stateOf } from './state.js'
import { until } from './until.js'

export interface DockerLifecycleOptions {
  readonly engine: Engine
  readonly host: string | null
  readonly nodes: readonly DockerNode[]
  readonly journal: UndoJournal
  /** Where the node's first port is reached from here. */
  readonly addressOf: (node: DockerNode) => Address
  /** True when that is a published port, with a forwarder in between. */
  readonly published: boolean
  /** Called before a container is started here; `failed` takes back that a start is expected. */
  readonly beforeStart: (node: DockerNode) => Promise<{ failed(): void }>
  readonly afterStart: (node: DockerNode) => Promise<void>
}

/**
 * Drives containers through the engine's API; every call ends when the engine's own inspection shows the change. To pause
 * what is paused does nothing, as with the other calls.
 */
export function dockerLifecycle(options: DockerLifecycleOptions): Lifecycle {
  const { engine, host, nodes, journal } = options
  /** Journal entries of paused nodes. */
  const paused = new Map<string, string>()

  const inspect = async (name: string) => {
    const node = nodeNamed(nodes, name)
    const container = engine.getContainer(node.id)
    const { State: state, Config: config, HostConfig: host } = await container.inspect()
    return { node, container, state, config, policy: host.RestartPolicy?.Name ?? '' }
  }

  const reached = (name: string, status: 'running' | 'paused' | 'exited', timeoutMs: number) =>
    until(
      `${name} is ${status}`,
      async () => (stateOf((await inspect(name)).state).status === status ? true : null),
      { timeoutMs },
    )

  const noLongerPaused = async (name: string): Promise<void> => {
    const entry = paused.get(name)
    paused.delete(name)
    if (entry !== undefined) await journal.close(entry)
  }

  const kill = async (name: string): Promise<void> => {
    const { container } = await inspect(name)
    await unlessExited(container.kill({ signal: 'SIGKILL' }))
    await reached(name, 'exited', 15_000)
    await noLongerPaused(name)
  }

  const resume = async (name: string): Promise<void> => {
    const { container, state } = await inspect(name)
    if (state.Paused) await unlessExited(container.unpause())
    await until(`${name} is not paused`, async () => ((await inspect(name)).state.Paused ? null : true))
    await noLongerPaused(name)
  }

  return {
    mechanism: 'Docker API: kill, pause and start',
    kill,
    resume,
    async stop(name, graceMs) {
      // A frozen process cannot take the signal.
      await resume(name)
      const { container, config } = await inspect(name)
      await unlessExited(
        container.kill({ signal: (config as { StopSignal?: string }).StopSignal ?? 'SIGTERM' }),
      )
      await reached(name, 'exited', graceMs).catch(() => kill(name))
    },
    async pause(name) {
      const { node, container, state } = await inspect(name)
      if (state.Paused) return
      paused.set(name, await journal.open({ kind: 'docker-unpause', container: node.id, host }))
      try {
        await container.pause()
        await reached(name, 'paused', 15_000)
      } catch (error) {
        await resume(name)
        throw error
      }
    },
    async start(name) {
      const { node, container, config, state: before } = await inspect(name)
      if (before.Running) return
      const started = await options.beforeStart(node)
      await container.start().catch((error: unknown) => {
        started.failed()
        throw new SystemError(
          'docker-start',
          `${name} (image ${config.Image}) cannot start: ${messageOf(error)}`,
        )
      })
      const { state } = await inspect(name)
      if (!state.Running) throw new SystemError('docker-exited', await exitReport(engine, node))
      await options.afterStart(node)
    },
    async state(name) {
      const { node, state, policy } = await inspect(name)
      const seen = stateOf(state)
      return {
        ...seen,
        cpuMs: seen.pid === null ? null : await cpuMsOf(engine, { id: node.id, pid: seen.pid }),
        ...(['', 'no'].includes(policy) ? {} : { restartedBy: `its restart policy (${policy})` }),
      }
    },
    limitCpu: (name, cpus) =>
      limitContainer(engine, { node: name, id: nodeNamed(nodes, name).id, cpus, host, journal }),
    probe(name, timeoutMs) {
      const { host: address, port } = options.addressOf(nodeNamed(nodes, name))
      return connectProbe({ host: address, port }, { timeoutMs, behindForwarder: options.published })
    },
  }
}

/** Ignores the refusal to signal a container that has ended (HTTP 409); what follows waits for its end anyway. */
async function unlessExited(request: Promise<unknown>): Promise<void> {
  try {
    await request
  } catch (error) {
    const status = (error as { statusCode?: unknown }).statusCode
    if (status !== 409 || !messageOf(error).includes('is not running')) throw error
  }
}
