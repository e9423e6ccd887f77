import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { dial } from './dial.js'
import type { OwnPorts } from './own-ports.js'
import { ProxiedConnection } from './proxied-connection.js'
import type { Route } from './route.js'

export interface DoorOptions {
  readonly route: Route
  /** Where the door listens; reserved, so that nobody takes it while the door is shut. */
  readonly port: number
  /** The node's own port behind it. */
  readonly realPort: number
  readonly own: OwnPorts
  /** Called when the door cannot do its work. */
  readonly onFailure: (error: Error) => void
}

const knockEveryMs = 50
const knockTimeoutMs = 1_000

/**
 * The proxy's listener for one declared port on one route.
 *
 * It is shut while the node's port refuses, so that whoever connects to a node that has ended is refused as without a
 * proxy; a client that is refused knows that nothing was sent, one that is reset does not. The first ones after the end
 * may still be reset. With a rule on the link it is open in any case, as attempts have to meet the rule.
 */
export class Door {
  readonly route: Route
  readonly #options: DoorOptions
  #server: Server | null = null
  #knocking: NodeJS.Timeout | null = null
  #closed = false

  constructor(options: DoorOptions) {
    this.#options = options
    this.route = options.route
  }

  /** Listens, if it does not already. */
  async open(): Promise<void> {
    if (this.#server !== null || this.#closed) return
    if (this.#knocking !== null) clearTimeout(this.#knocking)
    this.#knocking = null
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
      this.route.connections.add(new ProxiedConnection(this.route, client, () => this.#dial()))
    })
    this.#server = server
    server.listen({ port: this.#options.port, host: '127.0.0.1', exclusive: true })
    try {
      await once(server, 'listening')
    } catch (error) {
      if (this.#server === server) this.#server = null
      throw error
    }
    server.on('error', this.#options.onFailure)
  }

  /** Opens when the node's port answers, or when a rule is to be met. Shuts when it refuses. Never throws. */
  async knock(): Promise<void> {
    if (this.#closed) return
    const answer = this.route.forward.clear
      ? await dial({ host: '127.0.0.1', port: this.#options.realPort }, knockTimeoutMs, this.#options.own)
      : 'answers'
    if (answer === 'refused') this.#shut()
    else await this.open().catch((error: Error) => this.#fail(error))
  }

  /** Stops listening for good. Connections that are open stay so. */
  close(): void {
    this.#closed = true
    if (this.#knocking !== null) clearTimeout(this.#knocking)
    this.#server?.close()
    this.#server = null
  }

  #shut(): void {
    this.#server?.close()
    this.#server = null
    this.#knockLater()
  }

  #fail(error: Error): void {
    this.#options.onFailure(error)
    this.#knockLater()
  }

  #dial(): Socket {
    const onward = connect({
      host: '127.0.0.1',
      port: this.#options.realPort,
      allowHalfOpen: true,
      noDelay: true,
    })
    onward.once('connect', () => this.#options.own.add(onward))
    onward.once('error', ({ syscall }: NodeJS.ErrnoException) => {
      // A door that is shut already is knocked at anyway.
      if (syscall === 'connect' && this.#server !== null) void this.knock()
    })
    return onward
  }

  #knockLater(): void {
    if (this.#closed) return
    this.#knocking ??= setTimeout(() => {
      this.#knocking = null
      void this.knock()
    }, knockEveryMs)
  }
}
