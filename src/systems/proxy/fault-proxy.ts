import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { SystemError } from '../../errors.js'
import { address } from '../address.js'
import { linkName, type Link } from '../capabilities.js'
import type { Address } from '../system.js'
import type { BypassSources } from './bypass.js'
import { DirectedLink, type Traffic } from './directed-link.js'
import { ProxiedConnection } from './proxied-connection.js'
import { ProxyNetwork } from './proxy-network.js'
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
  const routes: Route[] = []
  const servers: Server[] = []
  const addresses = new Map<string, Address>()
  const failures: Error[] = []
  const close = async (): Promise<void> => {
    const closing = servers.splice(0).map((server) => closeServer(server))
    await network.clear()
    for (const { connections } of routes) for (const connection of [...connections]) connection.destroy()
    await Promise.all(closing)
    const [failure] = failures.splice(0)
    if (failure === undefined) return
    throw new SystemError('proxy', `the fault proxy could not accept every connection: ${failure.message}`, {
      hint: 'raise the limit of open files (`ulimit -n`), or use fewer clients',
      cause: failure,
    })
  }

  for (const { from, to, ports } of proxiedPairs(options)) {
    const route = new Route(linkOf({ from, to }), linkOf({ from: to, to: from }))
    routes.push(route)
    for (const [port, realPort] of ports) {
      const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
        new ProxiedConnection(route, client, () => {
          const onward = connect({ host: '127.0.0.1', port: realPort, allowHalfOpen: true, noDelay: true })
          return onward.once('connect', () => options.own.add(onward))
        })
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      server.on('error', (error) => failures.push(error))
      servers.push(server)
      addresses.set(key(from, to, port), address('127.0.0.1', (server.address() as AddressInfo).port))
    }
  }
  const network = new ProxyNetwork(links, routes, options)
  return {
    network,
    close,
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

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  await closed
}
