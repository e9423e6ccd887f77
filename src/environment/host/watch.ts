import { setTimeout as delay } from 'node:timers/promises'
import type { Host } from '../../session/host-record.js'
import type { HostSample, HostSource } from './reading.js'
import { hostSignals } from './signals.js'

export interface HostWatchOptions {
  readonly source: HostSource
  /** Nanoseconds since the run's start. */
  readonly now: () => number
}

const everyMs = 500
const answerMs = 1_000
/** A machine that has not told anything for so long, up to the end, was not watched. */
const silentMs = 5_000

/** Reads the machine twice a second until it is stopped. */
export class HostWatch {
  readonly samples: HostSample[] = []
  readonly #options: HostWatchOptions
  readonly #timer: NodeJS.Timeout
  #reading: Promise<void> | null = null
  #stoppedAt: number | null = null

  constructor(options: HostWatchOptions) {
    this.#options = options
    this.#look()
    this.#timer = setInterval(() => this.#look(), everyMs)
    this.#timer.unref()
  }

  /** Reads once more, unless a disk does not even answer. Safe to call twice. */
  async stop(): Promise<void> {
    if (this.#stoppedAt !== null) return
    this.#stoppedAt = this.#options.now()
    clearInterval(this.#timer)
    const patience = new AbortController()
    await Promise.race([this.#finish(), delay(answerMs, null, { signal: patience.signal }).catch(() => null)])
    patience.abort()
    this.#options.source.close()
  }

  /** What has been seen so far; nothing counts as watched once the readings have stopped for good. */
  get host(): Host {
    const { watched, unwatched } = this.#options.source
    const signals = hostSignals(this.samples)
    const lastTs = this.samples.at(-1)?.ts ?? 0
    if ((this.#stoppedAt ?? lastTs) - lastTs <= silentMs * 1e6)
      return { watched: [...watched], unwatched: [...unwatched], signals }
    const lost = watched.map((source) => `${source}: no reading after ${(lastTs / 1e9).toFixed(1)} s`)
    return { watched: [], unwatched: [...lost, ...unwatched], signals }
  }

  async #finish(): Promise<void> {
    await this.#reading
    await this.#read()
  }

  /** A question that is not answered yet is not asked again, or a slow disk would pile them up. */
  #look(): void {
    this.#reading ??= this.#read().finally(() => (this.#reading = null))
  }

  async #read(): Promise<void> {
    const { source, now } = this.#options
    try {
      const reading = await source.read()
      this.samples.push({ ts: now(), ...reading })
    } catch {
      // What could be read at first and cannot now, such as a group that was removed, leaves a gap between samples.
    }
  }
}
