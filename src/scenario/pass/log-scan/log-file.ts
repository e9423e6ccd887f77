import { createReadStream } from 'node:fs'
import type { LogScan } from '../../../session/observation-record.js'
import { commonAlarms } from './alarms.js'
import { Searcher, type Hit } from './searcher.js'
import { Sieve } from './sieve.js'

/** A message that is longer than this is cut. */
const messageBytes = 16 * 1_024
const chunkBytes = 1_024 * 1_024
const longestLineBytes = 4 * chunkBytes
const shownCharacters = 300
const newline = 10

const sieve = new Sieve(commonAlarms.flatMap(({ words }) => words))
const common = new Searcher(commonAlarms)

export interface LogFileOptions {
  /** How the record calls the file. */
  readonly name: string
  /** Further patterns that count. */
  readonly alarming: readonly RegExp[]
  /** Why a hit does not count; null when it does. */
  ignoredBecause(hit: Hit): string | null
}

type Match = LogScan['matches'][number]

/** Looks through one log, a chunk at a time. */
export class LogFile {
  lines = 0
  readonly #options: LogFileOptions
  readonly #further: readonly Searcher[]
  readonly #matches = new Map<string, Match>()

  constructor(options: LogFileOptions) {
    this.#options = options
    this.#further = options.alarming.map((pattern) => new Searcher([{ name: String(pattern), pattern }]))
  }

  get matches(): readonly Match[] {
    return [...this.#matches.values()]
  }

  /** Throws when the file cannot be read or is binary. */
  async read(path: string): Promise<void> {
    let pending: Buffer = Buffer.alloc(0)
    let begun = false
    for await (const chunk of createReadStream(path, {
      highWaterMark: chunkBytes,
    }) as AsyncIterable<Buffer>) {
      if (!begun && chunk.subarray(0, 8_192).includes(0)) throw new Error('it looks binary')
      begun = true
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      // What is near the end waits, for a message may go on in the next chunk.
      const ready = pending.lastIndexOf(newline, pending.length - messageBytes) + 1
      if (ready > 0 && pending.length > messageBytes) pending = pending.subarray(this.#look(pending, ready))
      else if (pending.length > longestLineBytes)
        pending = pending.subarray(this.#look(pending, pending.length))
    }
    this.#look(pending, pending.length)
    if (pending.length > 0 && pending.at(-1) !== newline) this.lines += 1
  }

  /** Looks at the messages that begin in the first `ready` bytes, and answers where the last of them ends. */
  #look(bytes: Buffer, ready: number): number {
    let done = this.#lookForCommon(bytes, ready)
    for (const searcher of this.#further) done = Math.max(done, this.#lookFor(searcher, bytes, ready))
    this.lines += newlines(bytes, 0, done)
    return done
  }

  #lookForCommon(bytes: Buffer, ready: number): number {
    let [line, counted, at] = [this.lines + 1, 0, 0]
    for (;;) {
      const place = sieve.next(bytes, at, ready)
      if (place === -1) return Math.max(at, ready)
      const start = bytes.lastIndexOf(newline, place) + 1
      const lineEnds = endOfLine(bytes, place)
      const length = bytes.toString('utf8', start, lineEnds).length
      const within = (end: number) => [...common.search(bytes.toString('utf8', start, end), length + 1)][0]
      at = lineEnds + 1
      // The next line may tell that this one is an exception; only then the whole message is worth reading.
      if (within(endOfLine(bytes, at)) === undefined) continue
      const hit = within(start + messageBytes) as Hit
      line += newlines(bytes, counted, start)
      counted = start
      at = start + Buffer.byteLength(hit.message) + 1
      this.#note(hit, line)
    }
  }

  #lookFor(searcher: Searcher, bytes: Buffer, ready: number): number {
    const begins = bytes.toString('utf8', 0, ready).length
    const text = bytes.toString('utf8', 0, ready + messageBytes)
    let [line, counted] = [this.lines + 1, 0]
    for (const hit of searcher.search(text, begins)) {
      line += text.slice(counted, hit.start).split('\n').length - 1
      counted = hit.start
      this.#note(hit, line)
    }
    return ready
  }

  #note(hit: Hit, line: number): void {
    const ignored = this.#options.ignoredBecause(hit)
    const key = `${hit.pattern}\n${ignored ?? ''}`
    const known = this.#matches.get(key)
    if (known !== undefined) known.count += 1
    else {
      const text = hit.line.trim().slice(0, shownCharacters)
      this.#matches.set(key, {
        pattern: hit.pattern,
        file: this.#options.name,
        line,
        text,
        count: 1,
        ignored,
      })
    }
  }
}

function endOfLine(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(newline, from)
  return end === -1 ? bytes.length : end
}

function newlines(bytes: Buffer, from: number, to: number): number {
  let count = 0
  for (let at = bytes.indexOf(newline, from); at !== -1 && at < to; at = bytes.indexOf(newline, at + 1))
    count += 1
  return count
}
