import { Redis } from 'ioredis'

export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** Replication as a node itself sees it. */
export interface Replication {
  readonly role: 'master' | 'slave'
  /** Replica: whether it hears its primary. Primary: null. */
  readonly link: 'up' | 'down' | null
  /** Replica: a full copy is on its way. */
  readonly syncing: boolean
  /** Bytes of the replication stream that it has written or applied. */
  readonly offset: number
}

/** The primary has the write, but the replica did not confirm it in time: it may or may not survive. */
export class NotReplicatedError extends Error {
  override readonly name = 'NotReplicatedError'
}

/**
 * A client of one node. It sends every command once and never reconnects by itself: ioredis is told to queue nothing,
 * resend nothing and retry nothing, because a hidden retry makes two operations look like one.
 */
export class RedisClient {
  readonly #redis: Redis

  private constructor(redis: Redis) {
    this.#redis = redis
  }

  static async connect({ host, port }: Endpoint): Promise<RedisClient> {
    const redis = new Redis({
      host,
      port,
      lazyConnect: true,
      connectTimeout: 1_000,
      commandTimeout: 2_000,
      enableOfflineQueue: false,
      enableReadyCheck: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    })
    // Each command reports the loss of its connection by itself; without a listener ioredis prints it as well.
    redis.on('error', () => {})
    await redis.connect()
    return new RedisClient(redis)
  }

  async get(key: string): Promise<number | null> {
    const value = await this.#redis.get(key)
    return value === null ? null : Number(value)
  }

  async set(key: string, value: number): Promise<void> {
    await this.#redis.set(key, value)
  }

  /** Sets the key and waits until the replica has it. Throws NotReplicatedError when that takes longer than `waitMs`. */
  async setReplicated(key: string, value: number, waitMs: number): Promise<void> {
    await this.#redis.set(key, value)
    const replicas = await this.#redis.wait(1, waitMs)
    if (replicas < 1) throw new NotReplicatedError(`${key}: no replica confirmed within ${waitMs} ms`)
  }

  /** Makes the node a primary; `minReplicas` is how many replicas it needs to accept writes. */
  async promote(minReplicas: number): Promise<void> {
    await this.#redis.replicaof('NO', 'ONE')
    await this.#redis.config('SET', 'min-replicas-to-write', minReplicas)
  }

  /** Makes the node a replica of another: what only it has is thrown away. */
  async follow(primary: Endpoint): Promise<void> {
    await this.#redis.replicaof(primary.host, primary.port)
  }

  async replication(): Promise<Replication> {
    const info = new Map(
      (await this.#redis.info('replication'))
        .split('\r\n')
        .map((line) => line.split(':') as [string, string]),
    )
    const role = info.get('role') === 'master' ? 'master' : 'slave'
    return {
      role,
      link: role === 'master' ? null : info.get('master_link_status') === 'up' ? 'up' : 'down',
      syncing: info.get('master_sync_in_progress') === '1',
      offset: Number(info.get('slave_repl_offset') ?? info.get('master_repl_offset')),
    }
  }

  close(): void {
    this.#redis.disconnect()
  }
}

/** Redis refuses these before it touches any data; after any other error a write may have taken effect. */
const refusals = ['NOREPLICAS', 'READONLY', 'LOADING', 'MASTERDOWN', 'OOM']

/** True when a rejected write cannot have taken effect. */
export function certainlyFailed(error: unknown): boolean {
  return error instanceof Error && refusals.some((refusal) => error.message.startsWith(refusal))
}
