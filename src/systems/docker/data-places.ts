import { access } from 'node:fs/promises'
import { EnvironmentError } from '../../errors.js'
import type { NodePlace } from '../storage/mechanism.js'
import type { Engine } from './engine.js'
import { hostPid } from './host-pid.js'
import { dataDir } from './launch-context.js'
import type { DockerNode } from './node.js'

/**
 * Where containers run and keep their data, for a process on the engine's own machine that may enter the engine's
 * directories. Null for every other one: a remote engine, Docker Desktop, a user who is not root.
 */
export async function dataPlaces(
  engine: Engine,
  nodes: readonly DockerNode[],
): Promise<readonly NodePlace[] | null> {
  if (process.platform !== 'linux') return null
  const places = await Promise.all(nodes.map((node) => placeOf(engine, node)))
  return places.every((place) => place !== null) ? places : null
}

async function placeOf(engine: Engine, node: DockerNode): Promise<NodePlace | null> {
  const { Mounts: mounts } = await engine.getContainer(node.id).inspect()
  const source = mounts.find(({ Destination }) => Destination === dataDir)?.Source
  if (source === undefined || source === '' || !(await canEnter(source)) || !(await isHere(engine, node)))
    return null
  return {
    name: node.name,
    dataDir: source,
    ownDataDir: dataDir,
    pid: () => hostPid(engine, node),
  }
}

/** False when the container's processes are not this machine's, although the directory may be. */
async function isHere(engine: Engine, node: DockerNode): Promise<boolean> {
  try {
    await hostPid(engine, node)
    return true
  } catch (error) {
    if (error instanceof EnvironmentError) return false
    throw error
  }
}

async function canEnter(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    // Not there, or not allowed: the answer either way.
    return false
  }
}
