import { connect, type Socket } from 'node:net'
import { eachLine } from './lines.js'
import { RegisterError, type Reply, type Request } from './protocol.js'

export interface Endpoint {
  readonly host: string
  readonly port: number
}

interface Pending {
  readonly socket: Socket
  resolve(result: unknown): void
  reject(error: unknown): void
}

/**
 * One TCP connection that carries many requests at a time.
 *
 * It is opened by the first request and again by the first one after a loss. A request is sent once: when its
 * connection is lost it fails, because nobody knows whether the other side has carried it out. A connection on
 * which a request went unanswered is given up, so that a dead one does not swallow the requests after it.
 */
export class Connection {
  readonly #endpoint: Endpoint
  readonly #pending = new Map<number, Pending>()
  #socket: Socket | null = null
  #nextId = 1

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint
  }

  /** Requests that wait for an answer. */
  get pending(): number {
    return this.#pending.size
  }

  /**
   * Rejects with RegisterError: `unreachable` when it was certainly not sent, `no-answer` after `timeoutMs`,
   * `connection-lost`, or what the other side answered. Rejects with the signal's reason when that aborts.
   */
  request(request: Request, options: { timeoutMs: number; signal?: AbortSignal }): Promise<unknown> {
    const { timeoutMs, signal } = options
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      if (this.#socket === null || this.#socket.destroyed) this.#socket = this.#dial()
      const socket = this.#socket
      const id = this.#nextId++
      const timer = setTimeout(() => {
        this.#settle(id)?.reject(this.#error('no-answer', `did not answer within ${timeoutMs} ms`))
        socket.destroy()
      }, timeoutMs)
      const onAbort = () => {
        this.#settle(id)?.reject(signal?.reason)
        socket.destroy()
      }
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#pending.set(id, {
        socket,
        resolve: (result) => (done(), resolve(result)),
        reject: (error) => (done(), reject(error)),
      })
      socket.write(`${JSON.stringify({ id, ...request })}\n`)
    })
  }

  /** Fails what is in flight; the next request opens it again. */
  close(): void {
    this.#socket?.destroy()
  }

  #dial(): Socket {
    const socket = connect(this.#endpoint).setNoDelay()
    let opened = false
    let cause: Error | null = null
    socket.on('connect', () => (opened = true))
    socket.on('error', (error) => (cause = error))
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = null
      const lost = opened
        ? this.#error('connection-lost', 'closed the connection', cause)
        : this.#error('unreachable', 'could not be reached', cause)
      for (const [id, pending] of this.#pending) if (pending.socket === socket) this.#settle(id)?.reject(lost)
    })
    eachLine(socket, (line) => this.#receive(line, socket))
    return socket
  }

  #receive(line: string, socket: Socket): void {
    const reply = parse(line)
    if (reply === null) return void socket.destroy()
    const pending = this.#settle(reply.id)
    if (pending === null) return
    if ('result' in reply) pending.resolve(reply.result)
    else pending.reject(new RegisterError(reply.error.code, reply.error.message))
  }

  #settle(id: number): Pending | null {
    const pending = this.#pending.get(id) ?? null
    this.#pending.delete(id)
    return pending
  }

  #error(code: RegisterError['code'], what: string, cause: Error | null = null): RegisterError {
    const reason = cause === null ? '' : `: ${cause.message}`
    return new RegisterError(code, `${this.#endpoint.host}:${this.#endpoint.port} ${what}${reason}`)
  }
}

/** Null for a line that is no JSON: the stream was cut or tampered with, and its connection is of no use. */
function parse(line: string): Reply | null {
  try {
    return JSON.parse(line) as Reply
  } catch {
    return null
  }
}
