/**
 * Which process each client is at the moment.
 *
 * A process has at most one operation in flight. An operation of unknown outcome may still be in flight, so the
 * process that invoked it is retired and the client goes on as the next one (Jepsen's rule): client i is
 * process i, then i + clients, then i + 2 * clients, … So it is when a connection is lost, because the session that the
 * system had with the client ends with it.
 */
export class Processes {
  readonly #clients: number
  readonly #current: number[]

  constructor(clients: number) {
    this.#clients = clients
    this.#current = Array.from({ length: clients }, (_, client) => client)
  }

  of(client: number): number {
    const process = this.#current[client]
    if (process === undefined) throw new RangeError(`client ${client} of ${this.#clients}`)
    return process
  }

  /** The client's operation ended with an unknown outcome, or its connection is lost. */
  retire(client: number): void {
    this.#current[client] = this.of(client) + this.#clients
  }
}
