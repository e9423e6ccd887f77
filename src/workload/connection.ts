import { messageOf } from '../errors.js'
import { sleep } from '../time/sleep.js'

/** How long the closing of a client may take before it is left to itself. */
const closeWithinMs = 1_000

/**
 * The connection of one client to its node: opened when it is needed, dropped when an operation has left it in doubt.
 */
export class Connection<Client> {
  readonly #connect: () => Client | Promise<Client>
  readonly #close: (client: Client) => void | Promise<void>
  readonly #closing = new Set<Promise<void>>()
  readonly #closeErrors: string[] = []
  #current: { readonly client: Client } | null = null

  constructor(options: { connect(): Client | Promise<Client>; close(client: Client): void | Promise<void> }) {
    this.#connect = () => options.connect()
    this.#close = (client) => options.close(client)
  }

  /** The client, connected anew if need be. A client that comes after the signal has aborted is closed again. */
  async open(signal: AbortSignal): Promise<Client> {
    if (this.#current !== null) return this.#current.client
    const client = await this.#connect()
    if (signal.aborted) {
      this.#discard(client)
      throw signal.reason
    }
    this.#current = { client }
    return client
  }

  /** Closes the client in the background; the next `open` connects anew. False when none was open. */
  drop(): boolean {
    if (this.#current === null) return false
    this.#discard(this.#current.client)
    this.#current = null
    return true
  }

  /** Closes the client and waits, up to a second, for all that are being closed. Returns what went wrong. */
  async end(): Promise<readonly string[]> {
    this.drop()
    const patience = new AbortController()
    const closed = Promise.all(this.#closing).then(() => true)
    const inTime = await Promise.race([closed, sleep(closeWithinMs, patience.signal).then(() => false)])
    patience.abort()
    if (!inTime) this.#closeErrors.push(`still not closed after ${closeWithinMs} ms`)
    return this.#closeErrors
  }

  #discard(client: Client): void {
    const closing = this.#closeAndNote(client)
    this.#closing.add(closing)
    void closing.then(() => this.#closing.delete(closing))
  }

  async #closeAndNote(client: Client): Promise<void> {
    try {
      await this.#close(client)
    } catch (error) {
      this.#closeErrors.push(messageOf(error))
    }
  }
}
