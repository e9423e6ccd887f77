import { Agent, request } from 'node:http'

export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** What etcd answered with an HTTP error: `message` is its own text, such as `etcdserver: request timed out`. */
export class EtcdError extends Error {
  override readonly name = 'EtcdError'
}

export interface EtcdStatus {
  /** Ids are decimal strings of 64 bits. `0` means that the member knows no leader. */
  readonly leader: string
  readonly member: string
  readonly term: number
  readonly applied: number
  readonly revision: number
}

/**
 * A client of one etcd member over its JSON gateway (API version 3).
 *
 * Every call is one HTTP request. It is sent once: Node's `http` retries nothing, and neither does this.
 */
export class EtcdClient {
  readonly #endpoint: Endpoint
  readonly #agent = new Agent({ keepAlive: true })

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint
  }

  /**
   * The value of a key, null when it is absent. A serializable read is answered by this member alone from what it has
   * applied so far; otherwise the member first confirms with the leader that it is up to date.
   */
  async get(key: string, options: { serializable: boolean; signal?: AbortSignal }): Promise<number | null> {
    const { serializable, ...rest } = options
    const body = { key: base64(key), serializable }
    const answer = (await this.#post('/v3/kv/range', body, rest)) as { kvs?: { value: string }[] }
    const value = answer.kvs?.[0]?.value
    return value === undefined ? null : Number(Buffer.from(value, 'base64').toString())
  }

  async put(key: string, value: number, options: { signal?: AbortSignal } = {}): Promise<void> {
    await this.#post('/v3/kv/put', { key: base64(key), value: base64(String(value)) }, options)
  }

  async status(options: { signal?: AbortSignal } = {}): Promise<EtcdStatus> {
    const status = (await this.#post('/v3/maintenance/status', {}, options)) as {
      header: { member_id: string; revision?: string }
      leader?: string
      raftTerm?: string
      raftAppliedIndex?: string
    }
    return {
      leader: status.leader ?? '0',
      member: status.header.member_id,
      term: Number(status.raftTerm ?? 0),
      applied: Number(status.raftAppliedIndex ?? 0),
      revision: Number(status.header.revision ?? 0),
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  #post(path: string, body: unknown, { signal }: { signal?: AbortSignal }): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const call = request(
        {
          ...this.#endpoint,
          path,
          method: 'POST',
          agent: this.#agent,
          headers: { 'content-type': 'application/json' },
          signal: signal ?? AbortSignal.timeout(2_000),
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString()
            if (response.statusCode === 200) resolve(JSON.parse(text))
            else reject(new EtcdError(messageIn(text)))
          })
        },
      )
      call.on('error', reject)
      call.end(JSON.stringify(body))
    })
  }
}

function messageIn(text: string): string {
  try {
    return String((JSON.parse(text) as { error?: unknown }).error ?? text)
  } catch {
    return text.trim()
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/**
 * True when a rejected write cannot have taken effect: nobody listened, or etcd says that it did not propose it.
 * `request timed out` and `leader changed` are not among them: the proposal may still be committed.
 */
export function certainlyFailed(error: unknown): boolean {
  if (error instanceof EtcdError) return error.message === 'etcdserver: too many requests'
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
}
