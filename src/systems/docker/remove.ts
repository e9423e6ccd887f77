import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, SystemError } from '../../errors.js'
import { engineAt, runLabel, statusOf, type Engine } from './engine.js'
import { chooseEntry } from './namespace/choose.js'
import type { NamespaceExec } from '../netns/exec.js'
import { disciplinesIn, removeEgress, removeIngress } from '../netns/rules/disciplines.js'
import { removeChains } from '../netns/rules/iptables.js'
import { deleteTable } from '../netns/rules/table.js'

const deadlineMs = 60_000

/**
 * Removes all containers, networks and volumes that carry the label of the run, and returns
 * their names. Safe to call at any time and any number of times; ends only after two sweeps 500 ms apart found nothing,
 * because a request that was on its way when the run died may still make a container.
 *
 * Throws SystemError naming what cannot be removed within a minute, EnvironmentError without an engine client.
 */
export async function removeDockerRun(run: string, host: string | null): Promise<string[]> {
  return sweepUntilEmpty(await engineAt(host), runOf(run), 2)
}

/** Removes all containers, networks and volumes of a project of Docker Compose, as above. */
export async function removeComposeProject(project: string, host: string | null): Promise<string[]> {
  return sweepUntilEmpty(await engineAt(host), composeProject(project), 2)
}

/** The label, with its value, of everything that belongs to a run. */
export function runOf(run: string): string {
  return `${runLabel}=${run}`
}

/** The label, with its value, that Docker Compose gives to everything of a project. */
export function composeProject(project: string): string {
  return `com.docker.compose.project=${project}`
}

/**
 * Sweeps until `emptySweeps` sweeps in a row, 500 ms apart, found nothing. One is enough where no creation can be on
 * its way.
 */
export async function sweepUntilEmpty(engine: Engine, label: string, emptySweeps: number): Promise<string[]> {
  const removed = new Set<string>()
  const deadline = performance.now() + deadlineMs
  for (let empty = 0; ;) {
    const { found, refusals } = await sweep(engine, label)
    for (const name of found) removed.add(name)
    empty = found.length === 0 ? empty + 1 : 0
    if (empty >= emptySweeps) return [...removed]
    if (performance.now() > deadline) {
      throw new SystemError('docker-remove', `${label}: not removed: ${refusals.join('; ')}`, {
        hint: `docker rm -fv $(docker ps -aq --filter label=${label}), then npx nemesis heal`,
      })
    }
    if (refusals.length > 0) await sleep(100)
    else if (empty > 0) await sleep(500)
  }
}

interface Sweep {
  readonly found: readonly string[]
  readonly refusals: readonly string[]
}

async function sweep(engine: Engine, label: string): Promise<Sweep> {
  const filters = JSON.stringify({ label: [label] })
  const refusals: string[] = []
  const attempt = async (name: string, request: Promise<unknown>): Promise<string> => {
    try {
      await request
    } catch (error) {
      // 404: gone by now. Anything else, such as "removal already in progress", is looked at again in the next sweep.
      if (statusOf(error) !== 404) refusals.push(`${name} (${messageOf(error)})`)
    }
    return name
  }
  const containers = await engine.listContainers({ all: true, filters })
  const gone = await Promise.all(
    containers.map(({ Id, Names }) =>
      attempt(Names[0]?.slice(1) ?? Id, engine.getContainer(Id).remove({ force: true, v: true })),
    ),
  )
  // A network can go only when no container is on it.
  const networks = await engine.listNetworks({ filters })
  const cut = await Promise.all(networks.map(({ Id, Name }) => attempt(Name, engine.getNetwork(Id).remove())))
  // Volumes go with their containers; one is left only when its container could not be made.
  const { Volumes: volumes } = await engine.listVolumes({ filters })
  const freed = await Promise.all(
    (volumes ?? []).map(({ Name }) => attempt(Name, engine.getVolume(Name).remove())),
  )
  return { found: [...gone, ...cut, ...freed], refusals }
}

/** Continues a paused container. One that has ended or runs counts as continued; false for one that is gone. */
export async function unpauseContainer(id: string, host: string | null): Promise<boolean> {
  const container = (await engineAt(host)).getContainer(id)
  try {
    await container.unpause()
  } catch (error) {
    if (statusOf(error) === 404) return false
    const { State: state } = await container.inspect()
    if (state.Paused) throw error
  }
  return true
}

/**
 * Deletes one nft table in the network namespace of a container. A table or a container that is gone counts as deleted.
 *
 * Throws EnvironmentError when nothing on this machine can enter the namespace.
 */
export function deleteNftTable(container: string, table: string, host: string | null): Promise<void> {
  return inNamespace({ container, host }, (entry) => deleteTable(entry, container, table))
}

/** Deletes the iptables chains `<chain>_in` and `<chain>_out` in the network namespace of a container, as above. */
export function deleteIptablesChains(container: string, chain: string, host: string | null): Promise<void> {
  return inNamespace({ container, host }, async (entry) => {
    for (const table of ['filter', 'mangle'] as const)
      await removeChains(entry, { id: container, table, chain })
  })
}

/** Takes the queueing disciplines of ours away in the network namespace of a container, as above. */
export function deleteShaping(container: string, host: string | null): Promise<void> {
  return inNamespace({ container, host }, async (entry) => {
    const devices = new Set((await disciplinesIn(entry, container)).map(({ dev }) => dev))
    for (const device of devices) {
      await removeEgress(entry, container, device)
      await removeIngress(entry, container, device)
    }
  })
}

/** Does something in the network namespace of a container; nothing when that is gone or does not run. */
async function inNamespace(
  { container, host }: { readonly container: string; readonly host: string | null },
  act: (entry: NamespaceExec) => Promise<void>,
): Promise<void> {
  const engine = await engineAt(host)
  const run = await labelOf(engine, container)
  if (run === null) return
  const entry = await chooseEntry({ engine, run, enter: 'auto', helperImage: null }, container)
  try {
    await act(entry)
  } finally {
    await entry.close()
  }
}

/** The run that a container belongs to; null when the container is gone or does not run. */
async function labelOf(engine: Engine, container: string): Promise<string | null> {
  try {
    const { Config: config, State: state } = await engine.getContainer(container).inspect()
    return state.Running ? (config.Labels[runLabel] ?? '') : null
  } catch (error) {
    if (statusOf(error) === 404) return null
    throw error
  }
}
