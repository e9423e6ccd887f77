import { Redis } from 'ioredis'
import type { SystemNode } from 'vitest-nemesis'

export const port = 6379
/** The name under which the sentinels know the primary. */
const watched = 'main'
/** The secret of the servers, and the one that a fault gives to one of them. */
export const secrets = ['first-secret', 'second-secret'] as const

export interface Observation {
  /** `host:port` of the primary that a sentinel names, and the epoch of its configuration. */
  readonly leader: string
  readonly term: number
}

/** A client of a server, or one that asks a sentinel which server is the primary. */
export interface RedisClient {
  /** Adds an element to a set. Resolves to the host that has taken it. */
  add(key: string, element: number): Promise<string>
  /** Which primary the sentinel names; of a server, the role that it has. */
  observe(): Promise<Observation | string>
  /** All elements of a set, smallest first. */
  elements(key: string): Promise<readonly number[]>
  close(): void
}

export function isSentinel(name: string): boolean {
  return name.startsWith('s')
}

export async function openClient(node: SystemNode): Promise<RedisClient> {
  const { host } = node.address(port)
  return isSentinel(node.name) ? SentinelClient.open(host) : new ServerClient(await connect(host))
}

class ServerClient implements RedisClient {
  readonly #redis: Redis

  constructor(redis: Redis) {
    this.#redis = redis
  }

  async add(key: string, element: number): Promise<string> {
    await this.#redis.sadd(key, element)
    return this.#redis.options.host as string
  }

  async observe(): Promise<string> {
    return String(((await this.#redis.call('ROLE')) as unknown[])[0])
  }

  async elements(key: string): Promise<readonly number[]> {
    return (await this.#redis.smembers(key)).map(Number).toSorted((a, b) => a - b)
  }

  close(): void {
    this.#redis.disconnect()
  }
}

/** Asks its sentinel before each call, and keeps the connection while the answer is the same. */
class SentinelClient implements RedisClient {
  readonly #sentinel: Redis
  #primary: { readonly host: string; readonly redis: Redis } | null = null

  private constructor(sentinel: Redis) {
    this.#sentinel = sentinel
  }

  static async open(host: string): Promise<SentinelClient> {
    return new SentinelClient(await connect(host))
  }

  async add(key: string, element: number): Promise<string> {
    return (await this.#primaryNow()).add(key, element)
  }

  /**
   * Both in one go, as they are answered in one turn: while a failover goes on, `SENTINEL MASTER` names the epoch of the
   * new primary and the address of the old one, `get-master-addr-by-name` the new address.
   */
  async observe(): Promise<Observation> {
    const [[host, at], state] = (await Promise.all([
      this.#sentinel.call('SENTINEL', 'get-master-addr-by-name', watched),
      this.#sentinel.call('SENTINEL', 'MASTER', watched),
    ])) as [[string, string], string[]]
    return { leader: `${host}:${at}`, term: Number(fieldOf(state, 'config-epoch')) }
  }

  async elements(key: string): Promise<readonly number[]> {
    return (await this.#primaryNow()).elements(key)
  }

  close(): void {
    this.#sentinel.disconnect()
    this.#primary?.redis.disconnect()
  }

  async #primaryNow(): Promise<ServerClient> {
    const [host] = (await this.#sentinel.call('SENTINEL', 'get-master-addr-by-name', watched)) as [string]
    if (this.#primary?.host !== host || this.#primary.redis.status !== 'ready') {
      this.#primary?.redis.disconnect()
      this.#primary = null
      this.#primary = { host, redis: await connect(host).catch(notSent) }
    }
    return new ServerClient(this.#primary.redis)
  }
}

/** The command was not sent, whatever the reason: there was no connection to send it on. */
class NotSentError extends Error {
  override readonly name = 'NotSentError'
}

function notSent(error: unknown): never {
  throw new NotSentError(error instanceof Error ? error.message : String(error), { cause: error })
}

/** A value of the flat list of names and values that sentinels answer. */
export function fieldOf(list: readonly string[], name: string): string | undefined {
  return list[list.indexOf(name) + 1]
}

/**
 * Connects once, logs in with whichever secret the server takes, and retries nothing: a hidden retry makes two operations
 * look like one. Sentinels ask for none.
 */
export async function connect(host: string): Promise<Redis> {
  const redis = new Redis({
    host,
    port,
    lazyConnect: true,
    connectTimeout: 800,
    commandTimeout: 1_000,
    enableOfflineQueue: false,
    enableReadyCheck: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  // Each command reports the loss of its connection by itself; without a listener ioredis prints it as well.
  redis.on('error', () => {})
  try {
    await redis.connect()
    await login(redis)
    return redis
  } catch (error) {
    redis.disconnect()
    throw error
  }
}

async function login(redis: Redis): Promise<void> {
  for (const secret of secrets) {
    try {
      await redis.auth(secret)
      return
    } catch (error) {
      const message = error instanceof Error ? error.message : ''
      // A sentinel has no secret, and says so.
      if (message.startsWith('ERR AUTH') || message.includes('without any password')) return
      if (!message.startsWith('WRONGPASS')) throw error
    }
  }
}

/** Redis refuses these before it touches any data; after any other error a write may have taken effect. */
const refusals = ['NOREPLICAS', 'READONLY', 'LOADING', 'MASTERDOWN', 'OOM', 'MISCONF', 'NOAUTH']

/** True when a rejected write cannot have taken effect. */
export function certainlyFailed(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof NotSentError || ('code' in error && error.code === 'ECONNREFUSED')) return true
  return refusals.some((refusal) => error.message.startsWith(refusal))
}
