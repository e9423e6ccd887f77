import { EnvironmentError, messageOf, NemesisError, SystemError } from '../../errors.js'
import { address } from '../address.js'
import { nodeClocks } from '../clock/node-clocks.js'
import { mechanismsFor } from '../storage/mechanisms.js'
import { storageOf } from '../storage/storage.js'
import type { ProviderContext, RunningSystem, SystemNode } from '../system.js'
import { allOf } from '../../time/all-of.js'
import { connectProbe } from './connect-probe.js'
import { containerExec } from './container-exec.js'
import { createNodeContainer } from './container.js'
import { makeDataDirectories } from './data-directories.js'
import { dataPlaces } from './data-places.js'
import { driveContainers } from './drive.js'
import { engineAt, engineMissing, hostToRecord, publishedHost, statusOf, type Engine } from './engine.js'
import { exitReport } from './exit-report.js'
import { freePort } from './free-port.js'
import { hostPid } from './host-pid.js'
import { ensureImage } from './images/ensure.js'
import { dataDir, declaredPort, launchContexts } from './launch-context.js'
import { followLogs } from './logs.js'
import { nodeNamed } from '../netns/node-named.js'
import type { DockerNode } from './node.js'
import type { DockerSettings } from './options.js'
import { runOf, sweepUntilEmpty } from './remove.js'
import { createRunNetwork, type RunNetwork } from './run-network.js'
import { addressIn } from '../netns/subnet.js'
import { trackedJournal } from './tracked-journal.js'

/** A node's container, and the host port of each of its ports where they are published. */
interface Placed extends DockerNode {
  readonly published: ReadonlyMap<number, number>
}

/**
 * Starts the containers of a run. The removal is journalled first; whatever fails on the way, everything that was made
 * is removed again before the error is passed on.
 */
export async function startRun(settings: DockerSettings, context: ProviderContext): Promise<RunningSystem> {
  const { runId: run, signal } = context
  signal.throwIfAborted()
  const absent = await engineMissing(settings.host)
  if (absent !== null) throw new EnvironmentError(absent.what, `there is no ${absent.what}`, absent.hint)
  const engine = await engineAt(settings.host)
  const host = hostToRecord(settings.host)
  const journal = trackedJournal(context.journal)
  const image = await ensureImage(engine, settings.image)
  await journal.open({ kind: 'docker-run', run, host })
  const cleanups: (() => unknown)[] = []

  let stopped: Promise<void> | null = null
  const removeAll = async (): Promise<void> => {
    let lost: unknown = null
    for (const cleanup of cleanups.reverse()) {
      try {
        await cleanup()
      } catch (error) {
        // The sweep takes everything away all the same; what went wrong before it must still be seen.
        if (error instanceof SystemError && error.code === 'disk') lost = error
        process.emitWarning(`run ${run}: clean-up: ${messageOf(error)}`, 'NemesisWarning')
      }
    }
    await sweepUntilEmpty(engine, runOf(run), 1)
    // What was done to containers that are gone is undone with them.
    await journal.closeAll()
    // A run whose data was lost by its own disk must not be judged.
    if (lost !== null) throw lost
  }

  try {
    const prefix = `nemesis-${run.replace(/[^a-zA-Z0-9_.-]/g, '-')}`
    const network = await createRunNetwork(engine, {
      run,
      name: prefix,
      pool: settings.pool,
      hosts: settings.names.length,
    })
    signal.throwIfAborted()
    const published = settings.reach === 'published' || (settings.reach === 'auto' && !network.local)
    if (settings.disk !== null && !network.local) {
      throw new EnvironmentError(
        'the engine on this machine',
        `disk: ${JSON.stringify(settings.disk)} is made on this machine, and the containers run on another one`,
        'leave `disk` out, or run the tests beside the engine',
      )
    }
    const data =
      settings.disk === null
        ? null
        : await makeDataDirectories(settings.disk, settings.names, { run, journal })
    if (data !== null) cleanups.push(() => data.close())
    const nodes = await placeNodes(engine, {
      settings,
      network,
      image,
      run,
      prefix,
      published,
      dataFrom: data?.directories ?? new Map(),
    })
    signal.throwIfAborted()

    const logs = followLogs(engine, context.logsDir)
    cleanups.push(() => logs.close())
    const addressOf = (node: Placed, port: number) =>
      published
        ? address(publishedHost(settings.host), node.published.get(port) as number)
        : address(node.ip, port)
    const {
      lifecycle,
      network: faults,
      close,
    } = await driveContainers({
      ...settings,
      host,
      engine,
      run,
      nodes,
      journal,
      logs,
      published,
      addressOf: (node) => addressOf(node as Placed, settings.ports[0] as number),
    })
    cleanups.push(
      // Ends the containers, and with them their logs, before the logs are closed.
      () => allOf(nodes.map((node) => endNode(engine, node, settings.stopGraceMs, lifecycle.stop))),
      () => close(),
    )

    await allOf(nodes.map((node) => lifecycle.start(node.name)))
    await allOf(
      nodes.map((node) => settled(engine, node, addressOf(node, settings.ports[0] as number), published)),
    )
    signal.throwIfAborted()
    const places = await dataPlaces(engine, nodes, dataDir)
    const mechanisms =
      places === null ? [] : await mechanismsFor(places, { run, journal, disks: data?.disks ?? null })
    return {
      nodes: nodes.map((node): SystemNode => ({
        name: node.name,
        index: node.index,
        address: (port) => addressOf(node, declaredPort(settings.ports, port, node.name)),
      })),
      lifecycle,
      network: faults,
      storage: places === null ? null : storageOf(places, { mechanisms, journal, kill: lifecycle.kill }),
      clock: nodeClocks({ journal, pidOf: (name) => hostPid(engine, nodeNamed(nodes, name)) }),
      exec: containerExec(engine, nodes),
      dataDirs: [
        ...(places ?? []).map((place) => place.dataDir),
        // What is on no volume lies with the engine, if that is on this machine.
        ...(network.local
          ? [((await engine.info()) as { readonly DockerRootDir: string }).DockerRootDir]
          : []),
      ],
      stop: () => (stopped ??= removeAll()),
    }
  } catch (error) {
    await removeAll().catch((failure: unknown) =>
      // The journal still holds the removal.
      process.emitWarning(`run ${run}: clean-up: ${messageOf(failure)}`, 'NemesisWarning'),
    )
    if (error instanceof NemesisError || signal.aborted) throw error
    throw new SystemError('docker-start', `starting image ${image}: ${messageOf(error)}`, { cause: error })
  }
}

interface Placement {
  readonly settings: DockerSettings
  readonly network: RunNetwork
  readonly image: string
  readonly run: string
  readonly prefix: string
  readonly published: boolean
  /** A directory of this machine for a node's data, by node. */
  readonly dataFrom: ReadonlyMap<string, string>
}

async function placeNodes(engine: Engine, placement: Placement): Promise<Placed[]> {
  const { settings, network, image, run, prefix, published } = placement
  // The first address of the subnet is the network's name, the second the gateway.
  const named = settings.names.map((name, index) => ({
    name,
    index,
    ip: addressIn(network.subnet, 2 + index),
  }))
  const launches = launchContexts(named, settings.ports)
  const publishOn = publishedHost(settings.host) === '127.0.0.1' ? '127.0.0.1' : '0.0.0.0'
  return allOf(
    named.map(async (node, index): Promise<Placed> => {
      const launch = launches[index] as (typeof launches)[number]
      const hostPorts = published
        ? await Promise.all(settings.ports.map(async (port) => [port, await freePort()] as const))
        : []
      const plan = {
        run,
        image,
        network: network.name,
        containerName: `${prefix}-${node.name}`,
        node: node.name,
        ip: node.ip,
        command: settings.command?.(launch) ?? null,
        env: settings.env(launch),
        published: new Map(hostPorts),
        publishOn,
        dataFrom: placement.dataFrom.get(node.name) ?? null,
      }
      return { ...node, id: await createNodeContainer(engine, plan, settings), published: plan.published }
    }),
  )
}

/** Most programs that cannot work say so at once; waits that long, or until the node listens. */
const settleMs = 500

async function settled(
  engine: Engine,
  node: DockerNode,
  { host, port }: { host: string; port: number },
  behindForwarder: boolean,
): Promise<void> {
  const deadline = performance.now() + settleMs
  do {
    const { State: state } = await engine.getContainer(node.id).inspect()
    if (!state.Running) throw new SystemError('docker-exited', await exitReport(engine, node))
    const answer = await connectProbe({ host, port }, { timeoutMs: 100, behindForwarder })
    if (answer === 'answers') return
    await new Promise((resolve) => setTimeout(resolve, 20))
  } while (performance.now() < deadline)
}

async function endNode(
  engine: Engine,
  node: DockerNode,
  graceMs: number,
  stop: (name: string, graceMs: number) => Promise<void>,
): Promise<void> {
  try {
    const { State: state } = await engine.getContainer(node.id).inspect()
    if (state.Running && graceMs > 0) await stop(node.name, graceMs)
    else if (state.Running) await engine.getContainer(node.id).kill()
  } catch (error) {
    // Somebody else has removed it, or it has ended in between.
    if (statusOf(error) !== 404 && statusOf(error) !== 409) throw error
  }
}
