import { Connection, type Endpoint } from './src/connection.js'
import { RegisterError, type Answer, type Status } from './src/protocol.js'

const requestTimeoutMs = 2_000

/**
 * A client of one node. Every call is sent once; nothing is retried behind the caller's back.
 *
 * A call rejects with RegisterError or with the reason of its signal; see `certainlyFailed`.
 */
export class RegisterClient {
  readonly #connection: Connection

  constructor(endpoint: Endpoint) {
    this.#connection = new Connection(endpoint)
  }

  /** The value of the key (null when nothing was written) and the node that coordinated. */
  get(key: string, options: { signal?: AbortSignal } = {}): Promise<Answer> {
    return this.#connection.request(
      { type: 'read', key },
      { timeoutMs: requestTimeoutMs, ...options },
    ) as Promise<Answer>
  }

  put(key: string, value: unknown, options: { signal?: AbortSignal } = {}): Promise<Answer> {
    return this.#connection.request(
      { type: 'write', key, value },
      { timeoutMs: requestTimeoutMs, ...options },
    ) as Promise<Answer>
  }

  status(): Promise<Status> {
    return this.#connection.request({ type: 'status' }, { timeoutMs: requestTimeoutMs }) as Promise<Status>
  }

  close(): void {
    this.#connection.close()
  }
}

/** True when a rejected write cannot have taken effect and never will. After any other error it may have. */
export function certainlyFailed(error: unknown): boolean {
  return error instanceof RegisterError && ['unreachable', 'no-quorum', 'bad-request'].includes(error.code)
}
