import { join } from 'node:path'
import { Journal } from './journal.js'
import type { Versioned } from './protocol.js'
import { beginning, compareTimestamps, type Timestamp } from './timestamp.js'

type Entry = { readonly start: number } | { readonly key: string; readonly version: Versioned }

/**
 * One copy of every register, on disk.
 *
 * A version is shown to others only once it is on disk: whoever has seen it may count on this replica for it, even
 * if the node is killed in the next moment.
 */
export class Replica {
  /** `n1.3`: the third start of n1. */
  readonly writer: string
  readonly #journal: Journal<Entry>
  readonly #versions = new Map<string, Versioned>()

  private constructor(writer: string, journal: Journal<Entry>) {
    this.writer = writer
    this.#journal = journal
  }

  /** Opens the copy in `directory`, with everything that was acknowledged before the node went down. */
  static async open(
    node: string,
    { directory, sync = true }: { readonly directory: string; readonly sync?: boolean },
  ): Promise<Replica> {
    const { journal, entries } = await Journal.open<Entry>(join(directory, 'register.ndjson'), { sync })
    const start = entries.filter((entry) => 'start' in entry).length + 1
    await journal.append({ start })
    const replica = new Replica(`${node}.${start}`, journal)
    for (const entry of entries) if ('key' in entry) replica.#apply(entry.key, entry.version)
    return replica
  }

  query(key: string): Versioned {
    return this.#versions.get(key) ?? { timestamp: beginning, value: null }
  }

  /** Takes the version unless it has a newer one. Resolves when it, or the newer one, is on disk. */
  async store(key: string, version: Versioned): Promise<void> {
    if (compareTimestamps(version.timestamp, this.query(key).timestamp) <= 0) return
    await this.#journal.append({ key, version })
    this.#apply(key, version)
  }

  timestamps(): Record<string, Timestamp> {
    return Object.fromEntries([...this.#versions].map(([key, { timestamp }]) => [key, timestamp]))
  }

  #apply(key: string, version: Versioned): void {
    if (compareTimestamps(version.timestamp, this.query(key).timestamp) > 0) this.#versions.set(key, version)
  }
}
