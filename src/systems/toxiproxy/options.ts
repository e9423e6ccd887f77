import { z } from 'zod'
import { DeclarationError } from '../../errors.js'
import { problemsOf } from '../../problems.js'

/** Where the server listens unless it is told otherwise. */
export const usualUrl = 'http://127.0.0.1:8474'

/** Which proxies of a Toxiproxy server stand before which nodes. */
export interface ToxiproxyOptions {
  /** Where its HTTP API is. Default: `http://127.0.0.1:8474`. */
  readonly url?: string
  /**
   * The nodes by name, each with its ports as scenarios speak of them, and for each the name of the proxy by which
   * clients reach it: `{ n1: { 6379: 'redis_1' } }`.
   */
  readonly nodes: Readonly<Record<string, Readonly<Record<number, string>>>>
  /** The names of the proxies by which nodes reach one another: `{ n2: { n1: ['redis_2_to_1'] } }`. Default: none. */
  readonly peers?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
}

/** One proxy with who calls whom through it. */
export interface ProxiedRoute {
  readonly from: string
  readonly to: string
  readonly proxy: string
}

/** Options with defaults filled in. */
export interface ToxiproxySettings {
  readonly url: string
  readonly names: readonly string[]
  /** The proxy before each declared port of a node. */
  readonly ports: ReadonlyMap<string, ReadonlyMap<number, string>>
  readonly routes: readonly ProxiedRoute[]
}

/** The end of a link that stands for everything that drives the system. */
export const clients = 'clients'

const proxyName = z.string().min(1, 'expected the name of a proxy')

const optionsSchema = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/, error: 'expected an address such as http://127.0.0.1:8474' })
      .optional(),
    nodes: z.record(
      z.string().regex(/^[\w.-]+$/, 'expected a name of letters, digits, dots and dashes'),
      z
        .record(z.string().regex(/^[1-9]\d{0,4}$/, 'expected a port'), proxyName)
        .refine((ports) => Object.keys(ports).length > 0, 'expected at least one port'),
    ),
    peers: z.record(z.string(), z.record(z.string(), z.array(proxyName))).optional(),
  })
  .superRefine(({ nodes, peers = {} }, context) => {
    const names = Object.keys(nodes)
    if (names.length === 0)
      context.addIssue({ code: 'custom', path: ['nodes'], message: 'expected at least one node' })
    if (names.includes(clients)) {
      context.addIssue({
        code: 'custom',
        path: ['nodes', clients],
        message: 'stands for what drives the system',
      })
    }
    for (const [from, calls] of Object.entries(peers)) {
      for (const name of [from, ...Object.keys(calls)]) {
        if (names.includes(name)) continue
        context.addIssue({ code: 'custom', path: ['peers', from], message: `there is no node ${name}` })
      }
    }
  })

/** Checks the options and fills in the defaults. Throws DeclarationError that names each wrong option. */
export function settingsOf(options: ToxiproxyOptions): ToxiproxySettings {
  const parsed = optionsSchema.safeParse(options)
  if (!parsed.success) {
    throw new DeclarationError('toxiproxy', `toxiproxy(): ${problemsOf(parsed.error)}`)
  }
  const { url = usualUrl, nodes, peers = {} } = parsed.data
  const ports = new Map(
    Object.entries(nodes).map(([name, proxies]) => [
      name,
      new Map(Object.entries(proxies).map(([port, proxy]) => [Number(port), proxy])),
    ]),
  )
  const fromClients = [...ports].flatMap(([to, proxies]) =>
    [...proxies.values()].map((proxy): ProxiedRoute => ({ from: clients, to, proxy })),
  )
  const fromPeers = Object.entries(peers).flatMap(([from, calls]) =>
    Object.entries(calls).flatMap(([to, proxies]) =>
      proxies.map((proxy): ProxiedRoute => ({ from, to, proxy })),
    ),
  )
  const routes = [...fromClients, ...fromPeers]
  requireOwnProxies(routes)
  return { url, names: [...ports.keys()], ports, routes }
}

/** Whoever calls through a proxy is known by the proxy alone, so none may stand for two. */
function requireOwnProxies(routes: readonly ProxiedRoute[]): void {
  const seen = new Map<string, ProxiedRoute>()
  for (const route of routes) {
    const other = seen.get(route.proxy)
    seen.set(route.proxy, route)
    if (other === undefined) continue
    throw new DeclarationError(
      'toxiproxy',
      `toxiproxy(): the proxy ${route.proxy} is named for ${other.from}->${other.to} and for ${route.from}->${route.to}`,
      { hint: 'give each way a proxy of its own, so that one can be cut without the other' },
    )
  }
}
