import { access } from 'node:fs/promises'
import type { NodePlace } from '../storage/mechanism.js'
import type { Engine } from './engine.js'
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

async function placeOf(engine: Engine, { name, id }: DockerNode): Promise<NodePlace | null> {
  const container = engine.getContainer(id)
  const { Mounts: mounts } = await container.inspect()
  // A volume's directory has a random name, so one that is there is the engine's and this machine is the engine's.
  const source = mounts.find(({ Destination }) => Destination === dataDir)?.Source
  if (source === undefined || source === '' || !(await canEnter(source))) return null
  return {
    name,
    dataDir: source,
    ownDataDir: dataDir,
    async pid() {
      const { State: state } = await container.inspect()
      return state.Running && state.Pid > 0 ? state.Pid : null
    },
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
