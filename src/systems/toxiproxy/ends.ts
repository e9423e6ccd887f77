import type { MeasuredSocket } from './sockets.js'

/** Where the two sides of a proxy are: `host:port` each. */
export interface ProxyEnds {
  /** What callers connect to. A wildcard as host stands for every address. */
  readonly listen: string
  /** What the proxy connects to. */
  readonly upstream: string
}

/** Counts of one side of a proxy: of its callers, or of its own sockets towards the node. */
export interface SideCounts {
  readonly sent: number
  readonly received: number
  readonly sentBytes: number
  readonly receivedBytes: number
}

const none: SideCounts = { sent: 0, received: 0, sentBytes: 0, receivedBytes: 0 }

/** The sockets of those that call through the proxy. */
export function callersOf({ listen }: ProxyEnds, sockets: readonly MeasuredSocket[]): MeasuredSocket[] {
  return sockets.filter(({ remote }) => isAt(remote, listen))
}

/**
 * The sockets by which the proxy itself talks to what is behind it: those of the process that has its listener. None
 * where that is not on this machine, or is somebody else's whom this process may not look at.
 */
export function onwardsOf(
  { listen, upstream }: ProxyEnds,
  sockets: readonly MeasuredSocket[],
): MeasuredSocket[] {
  const server = new Set(sockets.filter(({ local }) => isAt(local, listen)).flatMap(({ pids }) => pids))
  return sockets.filter(({ remote, pids }) => isAt(remote, upstream) && pids.some((pid) => server.has(pid)))
}

function isAt(address: string, place: string): boolean {
  const [host, port] = parts(place)
  const [ownHost, ownPort] = parts(address)
  if (port !== ownPort) return false
  return ['', '0.0.0.0', '[::]', '*'].includes(host) || hostsOf(host).includes(ownHost)
}

function hostsOf(host: string): readonly string[] {
  return host === 'localhost' ? ['127.0.0.1', '[::1]'] : [host]
}

/** `127.0.0.1:80` as `['127.0.0.1', '80']`. */
export function parts(address: string): readonly [host: string, port: string] {
  const colon = address.lastIndexOf(':')
  return [address.slice(0, colon), address.slice(colon + 1)]
}

/** Adds up what sockets count, also those that have closed since. A connection between two looks is not seen. */
export class Tally {
  readonly #known = new Map<string, SideCounts>()
  #closed: SideCounts = none

  add(sockets: readonly MeasuredSocket[]): void {
    for (const socket of sockets) {
      const key = `${socket.local} ${socket.remote}`
      const before = this.#known.get(key)
      // The same pair of addresses that counts from the start again is another connection.
      if (before !== undefined && (socket.sent < before.sent || socket.received < before.received)) {
        this.#closed = sum(this.#closed, before)
      }
      this.#known.set(key, socket)
    }
  }

  total(): SideCounts {
    return [...this.#known.values()].reduce<SideCounts>(sum, this.#closed)
  }
}

function sum(a: SideCounts, b: SideCounts): SideCounts {
  return {
    sent: a.sent + b.sent,
    received: a.received + b.received,
    sentBytes: a.sentBytes + b.sentBytes,
    receivedBytes: a.receivedBytes + b.receivedBytes,
  }
}

/** What has come since. */
export function since(now: SideCounts, then: SideCounts): SideCounts {
  return {
    sent: now.sent - then.sent,
    received: now.received - then.received,
    sentBytes: now.sentBytes - then.sentBytes,
    receivedBytes: now.receivedBytes - then.receivedBytes,
  }
}
