import type { Connection } from './connection.js'
import type { Request, Status, Versioned } from './protocol.js'
import { quorumOf } from './quorum.js'
import type { Replica } from './replica.js'
import { compareTimestamps } from './timestamp.js'

/** A peer that has not answered by then does not count for this phase. */
const phaseTimeoutMs = 400

/**
 * Reads and writes a register by majorities.
 *
 * The algorithm is the multi-writer one of Attiya, Bar-Noy and Dolev ("Sharing memory robustly in message-passing
 * systems", JACM 1995) as extended by Lynch and Shvartsman (1997): a write asks a majority for the newest version and
 * stores a newer one at a majority; a read asks a majority and, before it answers, makes sure that a majority holds
 * what it is about to answer. Any two majorities share a replica, so no read misses a finished write or read.
 */
export class Coordinator {
  readonly #replica: Replica
  readonly #peers: readonly Connection[]
  readonly #majority: number
  /** Two writes of one node at the same time must not pick the same counter. */
  readonly #issued = new Map<string, number>()

  constructor(replica: Replica, peers: readonly Connection[]) {
    this.#replica = replica
    this.#peers = peers
    this.#majority = Math.floor((peers.length + 1) / 2) + 1
  }

  async read(key: string): Promise<Versioned> {
    const versions = await this.#query(key)
    const latest = versions.reduce(newest)
    const unanimous = versions.every(({ timestamp }) => compareTimestamps(timestamp, latest.timestamp) === 0)
    if (!unanimous) await this.#store(key, latest)
    return latest
  }

  async write(key: string, value: unknown): Promise<Versioned> {
    const latest = (await this.#query(key)).reduce(newest)
    const counter = Math.max(latest.timestamp[0], this.#issued.get(key) ?? 0) + 1
    this.#issued.set(key, counter)
    const version: Versioned = { timestamp: [counter, this.#replica.writer], value }
    await this.#store(key, version)
    return version
  }

  /** Brings this replica and each peer that answers to the newer of their versions of every key. */
  async repair(): Promise<void> {
    await Promise.allSettled(this.#peers.map((peer) => this.#repairWith(peer)))
  }

  async #repairWith(peer: Connection): Promise<void> {
    const theirs = ((await ask(peer, { type: 'status' })) as Status).timestamps
    for (const key of new Set([...Object.keys(theirs), ...Object.keys(this.#replica.timestamps())])) {
      const mine = this.#replica.query(key)
      const their = theirs[key]
      const order = their === undefined ? 1 : compareTimestamps(mine.timestamp, their)
      if (order > 0) await ask(peer, { type: 'store', key, version: mine })
      if (order < 0) await this.#replica.store(key, (await ask(peer, { type: 'query', key })) as Versioned)
    }
  }

  #query(key: string): Promise<Versioned[]> {
    const others = this.#peers.map((peer) => ask(peer, { type: 'query', key }) as Promise<Versioned>)
    return quorumOf([Promise.resolve(this.#replica.query(key)), ...others], this.#majority, 'no-quorum')
  }

  async #store(key: string, version: Versioned): Promise<void> {
    const others = this.#peers.map((peer) => ask(peer, { type: 'store', key, version }))
    await quorumOf<unknown>([this.#replica.store(key, version), ...others], this.#majority, 'not-confirmed')
  }
}

function ask(peer: Connection, request: Request): Promise<unknown> {
  return peer.request(request, { timeoutMs: phaseTimeoutMs })
}

function newest(a: Versioned, b: Versioned): Versioned {
  return compareTimestamps(a.timestamp, b.timestamp) >= 0 ? a : b
}
