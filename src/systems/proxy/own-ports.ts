import type { Socket } from 'node:net'

/** A scan of the kernel's socket table may be a little older than the event that a socket has closed. */
const forgetAfterMs = 1_000

/**
 * Local ports of connections which this process opened to nodes for purposes of its own: the proxy's onward halves
 * and probes. Every other connection from here to a node's real port goes round the proxy.
 */
export class OwnPorts {
  readonly #ports = new Map<number, number>()

  /** Counts a connected socket as our own for as long as it lives. */
  add(socket: Socket): void {
    const port = socket.localPort
    if (port === undefined) return
    this.#ports.set(port, (this.#ports.get(port) ?? 0) + 1)
    socket.once('close', () => setTimeout(() => this.#forget(port), forgetAfterMs).unref())
  }

  has(port: number): boolean {
    return this.#ports.has(port)
  }

  #forget(port: number): void {
    const uses = (this.#ports.get(port) ?? 1) - 1
    if (uses === 0) this.#ports.delete(port)
    else this.#ports.set(port, uses)
  }
}
