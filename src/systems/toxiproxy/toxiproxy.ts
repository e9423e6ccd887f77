import { messageOf, NemesisError, SystemError } from '../../errors.js'
import { address } from '../address.js'
import { findBypasses } from '../proxy/bypass.js'
import { OwnPorts } from '../proxy/own-ports.js'
import { findProgram } from '../program.js'
import type { Address, Missing, NodeProvider, ProviderContext, RunningSystem, SystemNode } from '../system.js'
import { ToxiproxyClient, type ProxyState } from './client.js'
import { parts } from './ends.js'
import { ToxiproxyNetwork } from './network.js'
import { clients, settingsOf, type ToxiproxyOptions, type ToxiproxySettings } from './options.js'

/**
 * Anything that listens behind the proxies of a Toxiproxy server that runs already: clients reach its nodes through the
 * proxies, and network faults are toxics on them. Its nodes are neither started nor ended here, so it offers nothing
 * else. Throws DeclarationError when the options are wrong.
 *
 * @example
 * toxiproxy({ nodes: { primary: { 5432: 'postgres_primary' }, replica: { 5432: 'postgres_replica' } } })
 */
export function toxiproxy(options: ToxiproxyOptions): NodeProvider {
  const settings = settingsOf(options)
  return {
    kind: 'toxiproxy',
    count: settings.names.length,
    missing: () => missingFor(settings),
    start: (context) => start(settings, context),
  }
}

async function missingFor({ url, routes }: ToxiproxySettings): Promise<Missing[]> {
  const tools =
    findProgram('ss') === null ? [{ what: 'ss', hint: 'apt-get install iproute2 (Linux only)' }] : []
  try {
    const proxies = await new ToxiproxyClient(url).proxies()
    const lacking = routes.filter(({ proxy }) => !proxies.has(proxy))
    return [
      ...tools,
      ...lacking.map(({ proxy, to }) => ({
        what: `the proxy ${proxy} of Toxiproxy at ${url}`,
        hint: `make it: toxiproxy-cli create -l <address to call> -u <address of ${to}> ${proxy}`,
      })),
    ]
  } catch (error) {
    const hint = error instanceof NemesisError ? (error.hint ?? '') : ''
    return [...tools, { what: messageOf(error), hint }]
  }
}

async function start(settings: ToxiproxySettings, context: ProviderContext): Promise<RunningSystem> {
  const client = new ToxiproxyClient(settings.url)
  const [version, proxies] = await Promise.all([client.version(), client.proxies()])
  const stateOf = (proxy: string): ProxyState => {
    const state = proxies.get(proxy)
    if (state?.enabled === true) return state
    throw new SystemError(
      'toxiproxy',
      `Toxiproxy at ${settings.url} has ${state === undefined ? 'no proxy' : 'switched off its proxy'} ${proxy}`,
      { hint: 'see `toxiproxy-cli list`' },
    )
  }
  const routes = settings.routes.map((route) => {
    const { listen, upstream } = stateOf(route.proxy)
    return { ...route, ends: { listen, upstream } }
  })
  const realPorts = new Map(routes.map(({ to, ends }) => [Number(parts(ends.upstream)[1]), to]))
  const network = new ToxiproxyNetwork({
    client,
    version,
    journal: context.journal,
    routes,
    bypasses: () =>
      findBypasses({
        realPorts,
        parties: async () => [{ name: clients, pids: [process.pid] }],
        own: new OwnPorts(),
      }),
  })
  return {
    nodes: settings.names.map((name, index): SystemNode => ({
      name,
      index,
      address: (port) => addressOf(settings, { name, port, stateOf }),
    })),
    lifecycle: null,
    network,
    storage: null,
    clock: null,
    exec: null,
    stop: () => network.close(),
  }
}

/** Where clients call: the proxy's own address, or the server's where it listens on every one. */
function addressOf(
  { url, ports }: ToxiproxySettings,
  { name, port, stateOf }: { name: string; port: number; stateOf: (proxy: string) => ProxyState },
): Address {
  const own = ports.get(name) as ReadonlyMap<number, string>
  const proxy = own.get(port)
  if (proxy === undefined) {
    throw new SystemError('undeclared-port', `${name} has no port ${port}`, {
      hint: `toxiproxy() names ${[...own.keys()].join(', ')} for it`,
    })
  }
  const [host, listens] = parts(stateOf(proxy).listen)
  const everywhere = ['', '0.0.0.0', '[::]'].includes(host)
  const reached = everywhere ? new URL(url).hostname : host
  return address(reached.replace(/^\[(.*)\]$/, '$1'), Number(listens))
}
