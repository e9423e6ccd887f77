import { SystemError, messageOf } from '../../errors.js'
import type { SystemNode } from '../../systems/system.js'
import { withDeadline } from './poll.js'
import type { System } from '../spec.js'

const connectTimeoutMs = 5_000

/** Connects one client to the node. Throws SystemError that names the node. */
export async function connectTo<Client>(
  system: System<Client>,
  node: SystemNode,
  signal: AbortSignal,
): Promise<Client> {
  try {
    return await withDeadline(() => system.spec.connect(node), connectTimeoutMs, signal)
  } catch (error) {
    throw new SystemError(
      'connect',
      `${system.name}: no client could connect to ${node.name}: ${messageOf(error)}`,
      {
        cause: error,
      },
    )
  }
}

/** Closes a client in the way that the system declares, or by the first closing method that the client has. */
export async function closeClient<Client>(system: System<Client>, client: Client): Promise<void> {
  if (system.spec.close !== undefined) return system.spec.close(client)
  const candidate = client as Record<PropertyKey, unknown> | null
  for (const name of ['close', 'disconnect', Symbol.asyncDispose, Symbol.dispose]) {
    const method = candidate?.[name]
    if (typeof method === 'function') return void (await method.call(client))
  }
}

/** Connects a client to every node, uses them, and closes those that connected, whatever happens. */
export async function withClients<Client, Result>(
  system: System<Client>,
  nodes: readonly SystemNode[],
  signal: AbortSignal,
  use: (clients: readonly Client[]) => Promise<Result>,
): Promise<Result> {
  const connected = await Promise.allSettled(nodes.map((node) => connectTo(system, node, signal)))
  const clients = connected.filter((one) => one.status === 'fulfilled').map((one) => one.value)
  try {
    const refused = connected.find((one) => one.status === 'rejected')
    if (refused !== undefined) throw refused.reason
    return await use(clients)
  } finally {
    // A client that cannot be closed belongs to a system that is about to be stopped anyway.
    await Promise.allSettled(clients.map((client) => closeClient(system, client)))
  }
}
