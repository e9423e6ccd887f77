import type { Anomaly } from '../checker.js'
import { shown, tell } from '../words.js'
import type { Access, Value } from './accesses.js'

/** Anomalies that are put in words. */
const told = 50

/** What a judge of staleness is given of a whole history. */
export interface StalenessInput {
  readonly accesses: readonly Access[]
  /** By access: the place of its version among those of its key, -1 when it is not known: see `Places`. */
  readonly rank: Int32Array
  /** By access: see `Places`. */
  readonly into: Int32Array
  readonly shownBy: ReadonlyMap<number, number>
  readonly versionFrom: ReadonlyMap<number, number>
  readonly init: Value
  /** By access: room for a number. */
  readonly ends: Float64Array
  /** For a write without versions: the read that shows that it had taken effect before its answer. */
  readonly endedBy: Map<number, number>
}

/** The accesses that tell which version a read shows: its write, and what tells the version if they do not. */
export function sourceOf(read: number, { into, shownBy, versionFrom }: StalenessInput): number[] {
  const write = shownBy.get(into[read]!) ?? read
  return [write, versionFrom.get(write) ?? write, versionFrom.get(read) ?? read]
}

/** What was found of the reads of a history; anomalies beyond the first `told` are only counted. */
export class Staleness {
  readonly anomalies: Anomaly[] = []
  broken = 0
  /** Reads that some acknowledged write put to the test. */
  tested = 0
  doubts = 0
  /** The first read that could not be judged, -1 when there is none. */
  doubtful = -1
  readonly #accesses: readonly Access[]

  constructor(accesses: readonly Access[]) {
    this.#accesses = accesses
  }

  /** Whether no more anomalies are put in words. */
  get isFull(): boolean {
    return this.anomalies.length === told
  }

  /** The read misses the writes, which makes it too stale; `source` are accesses that tell what it shows. */
  breaks(
    read: number,
    { missed, source, bound }: { missed: readonly number[]; source: readonly number[]; bound: string },
  ): void {
    this.broken += 1
    if (this.isFull) return
    const { operation } = this.#accesses[read]!
    const which = missed.map((write) => tell(this.#accesses[write]!.operation)).join(', ')
    const shows = [...new Set([...missed, ...source, read])].sort((a, b) => a - b)
    this.anomalies.push({
      type: 'too-stale',
      explanation: `${tell(operation)} showed ${shown(operation.output)} and missed ${which}, acknowledged ${bound}`,
      operations: shows.map((index) => this.#accesses[index]!.operation.op_id),
    })
  }

  doubt(read: number): void {
    if (this.doubtful === -1) this.doubtful = read
    this.doubts += 1
  }
}
