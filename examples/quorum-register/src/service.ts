import { Connection } from './connection.js'
import { Coordinator } from './coordinator.js'
import { RegisterError, type Answer, type Request, type Status, type Versioned } from './protocol.js'
import type { Replica } from './replica.js'
import type { Settings } from './settings.js'

const forwardTimeoutMs = 1_000
const repairEveryMs = 250

/** What a node does with each request, whoever sent it. */
export class Service {
  readonly #settings: Settings
  readonly #replica: Replica
  readonly #peers: ReadonlyMap<string, Connection>
  readonly #coordinator: Coordinator
  #serving = 0

  constructor(settings: Settings, replica: Replica) {
    this.#settings = settings
    this.#replica = replica
    this.#peers = new Map([...settings.peers].map(([name, endpoint]) => [name, new Connection(endpoint)]))
    this.#coordinator = new Coordinator(replica, [...this.#peers.values()])
  }

  /** Repairs replicas for ever, one round at a time. A node that forwards leaves that to the coordinator. */
  async keepRepairing(): Promise<never> {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, repairEveryMs))
      if (this.#forwardsTo() === null) await this.#coordinator.repair()
    }
  }

  async handle(request: Request): Promise<unknown> {
    if (request.type === 'status') return this.#status()
    this.#serving++
    try {
      switch (request.type) {
        case 'query':
          return this.#replica.query(request.key)
        case 'store':
          return (await this.#replica.store(request.key, request.version), null)
        case 'read':
        case 'write':
          return await this.#serve(request)
      }
    } finally {
      this.#serving--
    }
    throw new RegisterError('bad-request', `unknown request ${JSON.stringify(request)}`)
  }

  async #serve(request: Request & { type: 'read' | 'write' }): Promise<Answer> {
    const coordinator = this.#forwardsTo()
    if (coordinator !== null) {
      return (await coordinator.request(request, { timeoutMs: forwardTimeoutMs })) as Answer
    }
    return { ...(await this.#coordinate(request)), node: this.#settings.node }
  }

  async #coordinate(request: Request & { type: 'read' | 'write' }): Promise<Versioned> {
    if (request.type === 'write') return this.#coordinator.write(request.key, request.value)
    return this.#settings.read === 'local'
      ? this.#replica.query(request.key)
      : this.#coordinator.read(request.key)
  }

  #forwardsTo(): Connection | null {
    return this.#peers.get(this.#settings.coordinator ?? this.#settings.node) ?? null
  }

  #status(): Status {
    const asked = [...this.#peers.values()].reduce((sum, peer) => sum + peer.pending, 0)
    return {
      node: this.#settings.node,
      inFlight: this.#serving + asked,
      timestamps: this.#replica.timestamps(),
    }
  }
}
