import { SystemError } from '../../errors.js'
import { address } from '../address.js'
import { linkName, type Link } from '../capabilities.js'
import type { Address } from '../system.js'
import type { BypassSources } from './bypass.js'
import { DirectedLink, type Traffic } from './directed-link.js'
import { Door } from './door.js'
import { ProxyNetwork } from './proxy-network.js'
import { reservePorts } from './reserved-ports.js'
import { Route } from './route.js'

/** The end of a link that stands for everything that drives the system. */
export const clients = 'clients'

export interface FaultProxyOptions extends BypassSources {
  /** The nodes with the real port behind each declared one. */
  readonly nodes: readonly { readonly name: string; readonly ports: ReadonlyMap<number, number> }[]
  /** Stand between clients and nodes. */
  readonly clients: boolean
  /** Stand between nodes. */
  readonly peers: boolean
}

/** A TCP proxy with a listener of its own for each declared port on each link, so that it knows who is calling. */
export interface FaultProxy {
  readonly network: ProxyNetwork
  /** Where `from` must call for a declared port of `to`. Null when the proxy does not stand on that link. */
  addressFor(from: string, to: string, port: number): Address | null
  /** Looks whether a node's ports answer, and from then on lets calls through or has them refused. */
  lookAt(node: string): Promise<void>
  /** What has crossed each link so far, and how many connections its sender has opened. */
  traffic(): readonly (Readonly<Traffic> & { readonly link: Link; readonly connections: number })[]
  /** Ends every connection. Throws SystemError when the proxy could not do its work at some time. */
  close(): Promise<void>
}

/** Starts the listeners on loopback. */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const links = new Map<string, DirectedLink>()
  const linkOf = (link: Link): DirectedLink => {
    const found = links.get(linkName(link)) ?? new DirectedLink(link)
    links.set(linkName(link), found)
    return found
  }
  const pairs = proxiedPairs(options)
  const reserved = await reservePorts(pairs.reduce((sum, { ports }) => sum + ports.size, 0))
  const free = [...reserved.ports]
  const routes: Route[] = []
  const doors: Door[] = []
  const addresses = new Map<string, Address>()
  const failures: Error[] = []
  for (const { from, to, ports } of pairs) {
    const route = new Route(linkOf({ from, to }), linkOf({ from: to, to: from }))
    routes.push(route)
    for (const [port, realPort] of ports) {
      const listen = free.shift() as number
      doors.push(
        new Door({
          route,
          port: listen,
          realPort,
          own: options.own,
          onFailure: (error) => failures.push(error),
        }),
      )
      addresses.set(key(from, to, port), address('127.0.0.1', listen))
    }
  }
  const network = new ProxyNetwork(links, routes, options)
  const close = async (): Promise<void> => {
    for (const door of doors) door.close()
    await network.clear()
    for (const { connections } of routes) for (const connection of [...connections]) connection.destroy()
    await reserved.release()
    const [failure] = failures.splice(0)
    if (failure === undefined) return
    throw new SystemError('proxy', `the fault proxy could not accept every connection: ${failure.message}`, {
      hint: 'raise the limit of open files (`ulimit -n`), or use fewer clients',
      cause: failure,
    })
  }
  try {
    await Promise.all(doors.map((door) => door.open()))
  } catch (error) {
    await close()
    throw error
  }
  return {
    network,
    close,
    async lookAt(node) {
      await Promise.all(doors.filter(({ route }) => route.to === node).map((door) => door.knock()))
    },
    addressFor: (from, to, port) => addresses.get(key(from, to, port)) ?? null,
    traffic: () =>
      [...links.values()].map(({ link, traffic }) => ({
        ...traffic,
        link,
        connections: routes.find(({ forward }) => forward.link === link)?.opened ?? 0,
      })),
  }
}

function proxiedPairs(options: FaultProxyOptions) {
  const froms = [
    ...(options.clients ? [clients] : []),
    ...(options.peers ? options.nodes.map(({ name }) => name) : []),
  ]
  return froms.flatMap((from) =>
    options.nodes.filter(({ name }) => name !== from).map(({ name, ports }) => ({ from, to: name, ports })),
  )
}

function key(from: string, to: string, port: number): string {
  return `${linkName({ from, to })}:${port}`
}
