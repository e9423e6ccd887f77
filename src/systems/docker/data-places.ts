import { access } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { EnvironmentError } from '../../errors.js'
import type { NodePlace } from '../storage/mechanism.js'
import type { Engine } from './engine.js'
import { hostPid } from './host-pid.js'
import type { DockerNode } from './node.js'

/**
 * Where containers run and keep their data, which is at `dataDir` inside them, for a process on the engine's own machine
 * that may enter the engine's directories. Null for every other one (a remote engine, Docker Desktop, a user who is not
 * root), and for data that lies on no volume or directory of the host.
 */
export async function dataPlaces(
  engine: Engine,
  nodes: readonly DockerNode[],
  dataDir: string,
): Promise<readonly NodePlace[] | null> {
  if (process.platform !== 'linux') return null
  const places = await Promise.all(nodes.map((node) => placeOf(engine, node, dataDir)))
  return places.every((place) => place !== null) ? places : null
}

async function placeOf(engine: Engine, node: DockerNode, dataDir: string): Promise<NodePlace | null> {
  const { Mounts: mounts } = await engine.getContainer(node.id).inspect()
  const source = sourceOf(mounts, dataDir)
  if (source === null || !(await canEnter(source)) || !(await isHere(engine, node))) return null
  return {
    name: node.name,
    dataDir: source,
    ownDataDir: dataDir,
    pid: () => hostPid(engine, node),
  }
}

/** What a path inside a container is on the host; null when it lies on no volume or directory of the host. */
function sourceOf(
  mounts: readonly { readonly Source: string; readonly Destination: string }[],
  path: string,
): string | null {
  const [closest] = mounts
    .map(({ Source, Destination }) => ({ source: Source, way: posix.relative(Destination, path) }))
    .filter(({ way }) => way !== '..' && !way.startsWith('../'))
    .toSorted((a, b) => a.way.length - b.way.length)
  // A memory file system has no source.
  return closest === undefined || closest.source === '' ? null : join(closest.source, closest.way)
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
