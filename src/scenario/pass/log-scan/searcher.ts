import type { Alarm } from './alarms.js'

/** A line that alarms, with the lines of the same message that follow. */
export interface Hit {
  /** Name of the kind of alarm. */
  readonly pattern: string
  /** Offsets of the message in the text. */
  readonly start: number
  readonly end: number
  readonly line: string
  /** All lines of the message. */
  readonly message: string
}

/** A line that belongs to the exception above it: a frame of its stack, or what caused it. */
const continued = /\n(?:[ \t]+\S|Caused by: ).*/y
/** After the frames Python says what the exception is. */
const pythonTraceback = /Traceback \(most recent call last\):/

/** Finds lines of some kinds in text, each line once. */
export class Searcher {
  readonly #kinds: readonly Alarm[]
  readonly #any: RegExp

  /** The kinds have the same flags. */
  constructor(kinds: readonly Alarm[]) {
    const sources = kinds.map(({ pattern }) => `(?:${pattern.source})`)
    this.#any = new RegExp(sources.join('|'), `g${multiline(kinds[0]?.pattern.flags ?? '')}`)
    this.#kinds = kinds.map((kind) => ({
      ...kind,
      pattern: new RegExp(kind.pattern.source, multiline(kind.pattern.flags)),
    }))
  }

  /** Messages that begin before `until`, in order. */
  *search(text: string, until: number): Generator<Hit> {
    const any = this.#any
    any.lastIndex = 0
    for (let found = any.exec(text); found !== null && found.index < until; found = any.exec(text)) {
      const start = found.index === 0 ? 0 : text.lastIndexOf('\n', found.index - 1) + 1
      const lineEnds = text.indexOf('\n', found.index)
      const line = text.slice(start, lineEnds === -1 ? text.length : lineEnds)
      const end = endOfMessage(text, { start, end: start + line.length })
      const message = text.slice(start, end)
      // What it finds in a later line of the message is none of this line.
      const kind = this.#kinds.find(
        ({ pattern }) => message.search(pattern) <= line.length && pattern.test(message),
      )
      // A lookbehind would make much of a start within a line, so the search goes on at the line after.
      any.lastIndex = Math.max(end, found.index + 1)
      if (kind === undefined || kind.harmless?.test(line)) continue
      yield { pattern: kind.name, start, end, line, message }
    }
  }
}

function multiline(flags: string): string {
  return `${flags.replaceAll(/[gmy]/g, '')}m`
}

function endOfMessage(text: string, line: { readonly start: number; readonly end: number }): number {
  let { end } = line
  for (;;) {
    continued.lastIndex = end
    if (!continued.test(text)) break
    end = continued.lastIndex
  }
  if (!pythonTraceback.test(text.slice(line.start, line.end))) return end
  const next = text.indexOf('\n', end + 1)
  return next === -1 ? text.length : next
}
