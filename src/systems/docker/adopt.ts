import { mkdir } from 'node:fs/promises'
import type Dockerode from 'dockerode'
import { EnvironmentError, messageOf, NemesisError, SystemError } from '../../errors.js'
import type { UndoJournal } from '../../nemesis/undo/journal.js'
import type { Lifecycle, Storage } from '../capabilities.js'
import { nodeClocks } from '../clock/node-clocks.js'
import { mechanismsFor } from '../storage/mechanisms.js'
import { storageOf } from '../storage/storage.js'
import type { NodeProvider, ProviderContext, RunningSystem, SystemNode } from '../system.js'
import { adoptionsOf, type AdoptableContainer, type Adoption } from './adopt-options.js'
import type { AdoptOptions, ReachSettings } from './adopt-options.js'
import { allOf } from '../../time/all-of.js'
import { containerExec } from './container-exec.js'
import { dataPlaces } from './data-places.js'
import { driveContainers } from './drive.js'
import { engineAt, engineMissing, hostToRecord, statusOf, type Engine } from './engine.js'
import { hostPid } from './host-pid.js'
import { keepUp } from './keep-up.js'
import { declaredPort } from './launch-context.js'
import { followLogs } from './logs.js'
import { nodeNamed } from '../netns/node-named.js'
import type { DockerNode } from './node.js'
import { reachOf, type Reach } from './place.js'
import { runOf, sweepUntilEmpty } from './remove.js'
import { trackedJournal } from './tracked-journal.js'

/**
 * Containers that another tool has started and will remove, as the nodes of a system. They must run when the system is
 * started. Faults are healed at its end: rules are taken away, what is paused goes on, and what a fault has ended is
 * started again; beyond that nothing is stopped or removed.
 *
 * Throws DeclarationError when an option is wrong.
 */
export function adopt(
  containers: AdoptableContainer | readonly AdoptableContainer[],
  options: AdoptOptions,
): NodeProvider {
  const { adoptions, reach } = adoptionsOf(containers, options)
  return {
    kind: 'docker',
    count: adoptions.length,
    async missing() {
      const engine = await engineMissing(reach.host)
      return engine === null ? [] : [engine]
    },
    start: (context) => adoptContainers(adoptions, reach, context),
  }
}

/** A container that was found, and how it is reached now: its address may be another one after a restart. */
interface Adopted extends Omit<DockerNode, 'ip'> {
  ip: string
  readonly ports: readonly number[]
  reach: Reach
}

/** Takes containers in hand, and lets go of them when the system is stopped. */
export async function adoptContainers(
  adoptions: readonly Adoption[],
  settings: ReachSettings,
  context: ProviderContext,
): Promise<RunningSystem> {
  const { runId: run, signal } = context
  signal.throwIfAborted()
  const absent = await engineMissing(settings.host)
  if (absent !== null) throw new EnvironmentError(absent.what, `there is no ${absent.what}`, absent.hint)
  const engine = await engineAt(settings.host)
  const host = hostToRecord(settings.host)
  const journal = trackedJournal(context.journal)
  const found = await allOf(adoptions.map((adoption, index) => find(engine, { adoption, index, settings })))
  const nodes = found.map(({ node }) => node)
  refuseTwins(nodes)
  await mkdir(context.logsDir, { recursive: true })
  // For the helpers by which rules are put in, and for programs that enter the containers' networks directly.
  await journal.open({ kind: 'docker-run', run, host })
  await journal.open({ kind: 'processes', run })
  const logs = followLogs(engine, context.logsDir)
  const refresh = async (node: DockerNode): Promise<void> => {
    const info = await engine.getContainer(node.id).inspect()
    const reach = await reachOf(node.name, info, settings)
    Object.assign(node, { reach, ip: reach.ip })
  }
  const driven = await driveContainers({
    ...settings,
    engine,
    host,
    run,
    nodes,
    journal,
    logs,
    published: nodes.some(({ reach }) => reach.published),
    addressOf: (node) => (node as Adopted).reach.addressOf((node as Adopted).ports[0] as number),
    onStarted: refresh,
  })
  const lifecycle = keepUp(driven.lifecycle, { engine, host, nodes, journal })

  const letGo = async (): Promise<void> => {
    const failures: unknown[] = []
    const steps = [
      () => driven.close(),
      () => allOf(nodes.map((node) => resumePaused(engine, node))),
      () => lifecycle.startAll(),
      () => logs.close({ lingerMs: 0 }),
      () => sweepUntilEmpty(engine, runOf(run), 1),
    ]
    for (const step of steps) {
      await (step() as Promise<unknown>).catch((error: unknown) => failures.push(error))
    }
    // What failed stays in the journal.
    if (failures.length > 0) throw failures[0]
    await journal.closeAll()
  }
  let stopped: Promise<void> | null = null
  const stop = (): Promise<void> => (stopped ??= letGo())

  let storage: Storage | null
  try {
    storage = await storageIn(engine, nodes, { run, journal, kill: lifecycle.kill, dataDir: settings.data })
    const now = new Date().toISOString()
    await allOf(nodes.map((node) => logs.resume(node, now)))
    signal.throwIfAborted()
  } catch (error) {
    await stop()
    if (error instanceof NemesisError || signal.aborted) throw error
    throw new SystemError('docker-adopt', `containers cannot be adopted: ${messageOf(error)}`, {
      cause: error,
    })
  }
  return {
    nodes: nodes.map((node): SystemNode => ({
      name: node.name,
      index: node.index,
      address: (port) => node.reach.addressOf(declaredPort(node.ports, port, node.name)),
    })),
    lifecycle,
    network: found.every(({ info }) => hasOwnNetwork(info)) ? driven.network : null,
    storage,
    clock: nodeClocks({ journal, pidOf: (name) => hostPid(engine, nodeNamed(nodes, name)) }),
    exec: containerExec(engine, nodes),
    stop,
  }
}

/** The storage of containers that say where they keep their data; null when it cannot be reached from here. */
async function storageIn(
  engine: Engine,
  nodes: readonly DockerNode[],
  parts: {
    readonly run: string
    readonly journal: UndoJournal
    readonly kill: Lifecycle['kill']
    readonly dataDir: string | null
  },
): Promise<Storage | null> {
  const { run, journal, kill, dataDir } = parts
  const places = dataDir === null ? null : await dataPlaces(engine, nodes, dataDir)
  if (places === null) return null
  return storageOf(places, {
    mechanisms: await mechanismsFor(places, { run, journal, disks: null }),
    journal,
    kill,
  })
}

async function find(
  engine: Engine,
  { adoption, index, settings }: { adoption: Adoption; index: number; settings: ReachSettings },
): Promise<{ node: Adopted; info: Dockerode.ContainerInspectInfo }> {
  const { name, container, ports } = adoption
  const id = typeof container === 'string' ? container : container.getId()
  const info = await engine
    .getContainer(id)
    .inspect()
    .catch((error: unknown) => {
      if (statusOf(error) !== 404) throw error
      throw new SystemError('docker-adopt', `${name}: there is no container ${id} on this engine`, {
        hint: 'docker ps -a lists the containers; the tool that makes it must use the same DOCKER_HOST',
      })
    })
  if (!info.State.Running) {
    throw new SystemError('docker-adopt', `${name}: container ${id} does not run`, {
      hint: 'start it before the scenarios that adopt it',
    })
  }
  const reach = await reachOf(name, info, settings)
  return { node: { name, index, id: info.Id, ip: reach.ip, ports, reach }, info }
}

function refuseTwins(nodes: readonly DockerNode[]): void {
  for (const [i, node] of nodes.entries()) {
    const twin = nodes.slice(0, i).find(({ id }) => id === node.id)
    if (twin === undefined) continue
    throw new SystemError('docker-adopt', `${twin.name} and ${node.name} are the same container`, {
      hint: 'each node is a container of its own',
    })
  }
}

/** Rules in a network that is shared with the host or another container would meet others too. */
function hasOwnNetwork({ HostConfig: { NetworkMode: mode } }: Dockerode.ContainerInspectInfo): boolean {
  return mode !== 'host' && mode !== 'none' && !mode?.startsWith('container:')
}

async function resumePaused(engine: Engine, { id }: DockerNode): Promise<void> {
  try {
    const container = engine.getContainer(id)
    const { State: state } = await container.inspect()
    if (state.Paused) await container.unpause()
  } catch (error) {
    // Whoever made it has removed it, or continued it in between.
    if (statusOf(error) !== 404 && statusOf(error) !== 409) throw error
  }
}
