import { randomUUID } from 'node:crypto'
import { mkdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EnvironmentError, SystemError, messageOf } from '../../errors.js'
import type { NamespaceNode } from '../netns/namespaces.js'
import { namespaceNetwork, type NamespaceNetwork } from '../netns/network.js'
import { createNamespaces, type NodeNamespaces } from '../netns/create.js'
import { enterNamed, inNamespace, namedNamespaces } from '../netns/entry.js'
import { namespacesMissing } from '../netns/missing.js'
import { clients, startFaultProxy, type FaultProxy } from '../proxy/fault-proxy.js'
import { OwnPorts } from '../proxy/own-ports.js'
import { disksFor } from '../storage/disks.js'
import { mechanismsFor } from '../storage/mechanisms.js'
import type { NodeDisks } from '../storage/node-disks.js'
import { storageOf } from '../storage/storage.js'
import type { NodeProvider, ProviderContext, RunningSystem, SystemNode } from '../system.js'
import { undoAll } from '../undo-all.js'
import { nodeClocks } from '../clock/node-clocks.js'
import { addressOf, launchContext, type PlannedNode, type ProxiedAddress } from './launch.js'
import { missingFor } from './missing.js'
import type { NodeCommand } from './node-command.js'
import { NodeProcess } from './node-process.js'
import { commandOf, envOf, settingsOf, type ProcessesOptions, type ProcessesSettings } from './options.js'
import { groupMembers } from './process-group.js'
import { processExec } from './process-exec.js'
import { ProcessLifecycle, type Member } from './process-lifecycle.js'
import { reservePorts } from '../proxy/reserved-ports.js'

/**
 * A system of child processes on this machine; needs neither root nor containers.
 *
 * Each node runs in a process group of its own, with its output in `<logs>/<node>.log`, real ports that it keeps over
 * restarts, and an empty data directory. Unless `proxy` says otherwise a TCP fault proxy stands on every link, and
 * `node.address(port)` and `peer.address(port)` lead through it. Throws DeclarationError when the options are wrong.
 *
 * @example
 * processes({
 *   command: ({ listen, peers }) => ['node', 'server.mjs', String(listen(7000)), ...peers.map(String)],
 *   count: 3,
 *   ports: [7000],
 * })
 */
export function processes(options: ProcessesOptions): NodeProvider {
  const settings = settingsOf(options)
  return {
    kind: 'processes',
    count: settings.names.length,
    missing: () => missingFor(settings),
    start: (context) => startProcesses(settings, context),
  }
}

/** Undoes one step of the start. The last step is undone first. */
type Undo = () => Promise<void>

async function startProcesses(settings: ProcessesSettings, context: ProviderContext): Promise<RunningSystem> {
  const undos: Undo[] = []
  let stopping: Promise<void> | null = null
  const stop = (): Promise<void> => (stopping ??= undoAll(undos))
  try {
    return { ...(await launchAll(settings, context, undos)), stop }
  } catch (error) {
    await stop().catch((cause: unknown) => {
      throw new SystemError('start', `${messageOf(error)}; and then: ${messageOf(cause)}`, { cause: error })
    })
    throw error
  }
}

async function launchAll(
  settings: ProcessesSettings,
  context: ProviderContext,
  undos: Undo[],
): Promise<Omit<RunningSystem, 'stop'>> {
  await mkdir(context.logsDir, { recursive: true })
  // On disk before the first process: if this one dies between a start and its entry, the mark in the
  // environment, or the log that it writes, still leads to the process.
  const logs = await realpath(context.logsDir)
  const entry = await context.journal.open({ kind: 'processes', run: context.runId, logs })
  undos.push(() => context.journal.close(entry))
  const namespaces = await openNamespaces(settings, context, undos)
  const nodes = await planNodes(settings, { context, undos, namespaces })
  const disks = await attachDisks(settings, nodes, { context, undos })
  const own = new OwnPorts()
  const running = new Map<string, Member>()
  const commands = new Map<string, NodeCommand>()
  const proxy = await openProxy({ settings, nodes, own, running, undos })
  const proxied: ProxiedAddress = (from, to, port) => proxy?.addressFor(from, to, port) ?? null

  for (const [index, node] of nodes.entries()) {
    const launch = launchContext(nodes, index, proxied)
    const command: NodeCommand = {
      name: node.name,
      command: commandOf(settings, launch),
      inside: namespaces === null ? [] : inNamespace((namespaces.nodes[index] as NamespaceNode).id),
      env: { ...envOf(settings, launch), NEMESIS_RUN: context.runId },
      cwd: settings.cwd,
      logFile: join(context.logsDir, `${node.name}.log`),
    }
    const process = new NodeProcess(command, {
      journal: context.journal,
      onEnded: () => void proxy?.lookAt(node.name),
    })
    commands.set(node.name, command)
    running.set(node.name, { process, address: launch.self(settings.ports[0] as number) })
  }
  const lifecycle = new ProcessLifecycle(running, {
    own,
    journal: context.journal,
    onServes: async (node) => proxy?.lookAt(node),
  })

  undos.push(() => lifecycle.close(settings.stopGraceMs))
  const rules = namespaces === null ? null : openRules(namespaces, context, undos)
  const starts = await Promise.allSettled(
    nodes.map(async ({ name }) => {
      context.signal.throwIfAborted()
      await lifecycle.start(name)
    }),
  )
  for (const start of starts) if (start.status === 'rejected') throw start.reason
  context.signal.throwIfAborted()

  const places = nodes.map(({ name, dataDir }) => ({
    name,
    dataDir,
    ownDataDir: dataDir,
    pid: async () => (await lifecycle.state(name)).pid,
  }))
  return {
    nodes: nodes.map((node, index): SystemNode => ({
      name: node.name,
      index,
      address: (port) => addressOf(node, { from: clients, port, proxied }),
    })),
    lifecycle,
    network: rules ?? proxy?.network ?? null,
    storage: storageOf(places, {
      mechanisms: await mechanismsFor(places, { run: context.runId, journal: context.journal, disks }),
      journal: context.journal,
      kill: (node) => lifecycle.kill(node),
    }),
    clock: nodeClocks({
      journal: context.journal,
      pidOf: async (node) => (await lifecycle.state(node)).pid,
    }),
    exec: processExec(commands),
    dataDirs: nodes.map(({ dataDir }) => dataDir),
  }
}

/** Gives each node a network namespace where the system is to have some. */
async function openNamespaces(
  { namespaces, names }: ProcessesSettings,
  { runId: run, journal }: ProviderContext,
  undos: Undo[],
): Promise<NodeNamespaces | null> {
  if (namespaces === null) return null
  const missing = await namespacesMissing()
  if (missing !== null) {
    throw new EnvironmentError(
      missing.what,
      "processes({ network: 'namespaces' }) cannot start",
      missing.hint,
    )
  }
  const created = await createNamespaces(names, { run, pool: namespaces.pool, journal })
  undos.push(() => created.close())
  return created
}

function openRules({ nodes }: NodeNamespaces, context: ProviderContext, undos: Undo[]): NamespaceNetwork {
  const rules = namespaceNetwork({
    nodes,
    namespaces: namedNamespaces,
    journal: context.journal,
    enter: async () => enterNamed(context.runId),
  })
  undos.push(() => rules.close())
  return rules
}

/** Hands out ports and makes the data directories. In a namespace of its own a node has the declared ports themselves. */
async function planNodes(
  settings: ProcessesSettings,
  {
    context,
    undos,
    namespaces,
  }: { context: ProviderContext; undos: Undo[]; namespaces: NodeNamespaces | null },
): Promise<readonly PlannedNode[]> {
  const { names, ports } = settings
  const realPorts = namespaces === null ? await reserve(names.length * ports.length, undos) : null
  const root = join(tmpdir(), `nemesis-data-${randomUUID()}`)
  const entry = await context.journal.open({ kind: 'directory', path: root })
  undos.push(async () => {
    await rm(root, { recursive: true, force: true, maxRetries: 5 })
    await context.journal.close(entry)
  })
  const nodes = names.map((name, index) => ({
    name,
    host: namespaces?.nodes[index]?.ip ?? '127.0.0.1',
    ports: new Map(
      ports.map((port, rank) => [port, realPorts?.[index * ports.length + rank] ?? port] as const),
    ),
    dataDir: join(root, name),
  }))
  await Promise.all(nodes.map(({ dataDir }) => mkdir(dataDir, { recursive: true })))
  return nodes
}

async function reserve(count: number, undos: Undo[]): Promise<readonly number[]> {
  const reserved = await reservePorts(count)
  undos.push(() => reserved.release())
  return reserved.ports
}

/** Puts a disk under each data directory where the system is to have some. */
async function attachDisks(
  { disk }: ProcessesSettings,
  nodes: readonly PlannedNode[],
  { context, undos }: { context: ProviderContext; undos: Undo[] },
): Promise<NodeDisks | null> {
  if (disk === null) return null
  const disks = await disksFor(disk, { run: context.runId, journal: context.journal })
  undos.push(() => disks.close())
  for (const { name, dataDir } of nodes) await disks.attach(name, dataDir)
  return disks
}

async function openProxy(options: {
  readonly settings: ProcessesSettings
  readonly nodes: readonly PlannedNode[]
  readonly own: OwnPorts
  readonly running: ReadonlyMap<string, { readonly process: NodeProcess }>
  readonly undos: Undo[]
}): Promise<FaultProxy | null> {
  const { settings, nodes, own, running, undos } = options
  if (!settings.proxy.clients && !settings.proxy.peers) return null
  const proxy = await startFaultProxy({
    ...settings.proxy,
    nodes,
    own,
    realPorts: new Map(nodes.flatMap(({ name, ports }) => [...ports.values()].map((port) => [port, name]))),
    parties: async () => [
      { name: clients, pids: [process.pid] },
      ...(await Promise.all(
        [...running].map(async ([name, node]) => ({ name, pids: await pidsOf(node.process) })),
      )),
    ],
  })
  undos.push(() => proxy.close())
  return proxy
}

async function pidsOf(node: NodeProcess): Promise<readonly number[]> {
  const { pid } = await node.state()
  return pid === null ? [] : (await groupMembers(pid)).map((member) => member.pid)
}
