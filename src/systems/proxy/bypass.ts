import { setImmediate } from 'node:timers/promises'
import type { OwnPorts } from './own-ports.js'
import { establishedSockets, socketInodes, type EstablishedSocket } from './socket-table.js'

/** Who may open connections: a node, or `clients` for this process. */
export interface Party {
  readonly name: string
  readonly pids: readonly number[]
}

/** Where to look for traffic that goes round the proxy. */
export interface BypassSources {
  /** The node behind each real port. */
  readonly realPorts: ReadonlyMap<number, string>
  /** Everybody's processes as they are now. */
  parties(): Promise<readonly Party[]>
  readonly own: OwnPorts
}

/** An open connection to a node's real port that did not come through the proxy. */
export interface Bypass {
  readonly from: string
  readonly to: string
  readonly remoteHost: string
  readonly remotePort: number
}

/**
 * Connections that are established right now between two parties and do not come through the proxy.
 *
 * Linux only, elsewhere none is ever found: the kernel's socket table says which connections lead to a real port, and
 * the open files of the parties' processes say whose they are. A connection that opens and closes between two calls
 * is not seen.
 */
export async function findBypasses(sources: BypassSources): Promise<readonly Bypass[]> {
  if (process.platform !== 'linux') return []
  const suspects = await suspectsIn(await establishedSockets(), sources)
  if (suspects.length === 0) return []
  const owners = new Map<string, string>()
  for (const { name, pids } of await sources.parties()) {
    for (const inode of (await Promise.all(pids.map(socketInodes))).flat()) owners.set(inode, name)
  }
  return suspects.flatMap(({ inode, remoteHost, remotePort }) => {
    const from = owners.get(inode)
    const to = sources.realPorts.get(remotePort)
    return from === undefined || to === undefined || from === to ? [] : [{ from, to, remoteHost, remotePort }]
  })
}

async function suspectsIn(
  sockets: readonly EstablishedSocket[],
  { realPorts, own }: BypassSources,
): Promise<readonly EstablishedSocket[]> {
  const pairs = new Set(sockets.map(({ localPort, remotePort }) => `${localPort}-${remotePort}`))
  const toReal = sockets.filter(
    ({ localPort, remotePort }) =>
      realPorts.has(remotePort) &&
      // The other half is on this machine too, so the port is our node's and not one of another host.
      pairs.has(`${remotePort}-${localPort}`) &&
      !own.has(localPort),
  )
  if (toReal.length === 0) return []
  // The kernel knows of a connection before its `connect` event has come to us: let that catch up.
  await setImmediate()
  return toReal.filter(({ localPort }) => !own.has(localPort))
}
