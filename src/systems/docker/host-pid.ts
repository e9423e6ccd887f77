import { readFile } from 'node:fs/promises'
import { EnvironmentError } from '../../errors.js'
import type { Engine } from './engine.js'
import type { DockerNode } from './node.js'

/**
 * The first process of a node's container by its id on this machine; null when the container does not run.
 *
 * Throws EnvironmentError when that id is not the container's here, as with Docker Desktop, a remote engine, or tests
 * that run in a container themselves. It is when its network has the address of the container.
 */
export async function hostPid(engine: Engine, node: DockerNode): Promise<number | null> {
  const { State: state } = await engine.getContainer(node.id).inspect()
  if (state.Pid <= 0) return null
  // No such process here: the engine runs on another kernel, which is what is said below.
  const routes = await readFile(`/proc/${state.Pid}/net/fib_trie`, 'latin1').catch(() => '')
  if (routes.includes(` ${node.ip}\n`)) return state.Pid
  throw new EnvironmentError(
    'processes of containers on this machine',
    `process ${state.Pid} of ${node.name} is not on this machine: the engine runs its containers on another kernel`,
    "run the tests on the engine's own machine and in its process namespace, or the system by processes()",
  )
}
