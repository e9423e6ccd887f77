import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { HistoryError, messageOf } from '../errors.js'

export interface Line {
  readonly text: string
  /** From 1. */
  readonly number: number
  /** False for a last line without a newline. */
  readonly terminated: boolean
}

const newline = 0x0a

/**
 * The non-blank lines of a UTF-8 file, one at a time; a name that ends in `.gz` is unpacked on the way.
 *
 * Throws HistoryError `unreadable`, `binary` (NUL bytes or not UTF-8) or `truncated` (a cut-off gzip stream).
 */
export async function* readLines(file: string): AsyncGenerator<Line> {
  let rest: Buffer[] = []
  let number = 0
  for await (const chunk of chunks(file)) {
    if (chunk.includes(0)) throw binary(file, number + 1, 'a NUL byte')
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const text = decode(file, ++number, [...rest, chunk.subarray(start, end)])
      rest = []
      start = end + 1
      if (text !== '') yield { text, number, terminated: true }
    }
    if (start < chunk.length) rest.push(chunk.subarray(start))
  }
  const text = decode(file, ++number, rest)
  if (text !== '') yield { text, number, terminated: false }
}

async function* chunks(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file)
  const stream: Readable = file.endsWith('.gz') ? source.pipe(createGunzip()) : source
  // `pipe` does not hand errors on, so a file that cannot be read would leave the unpacker waiting for ever.
  if (stream !== source) source.on('error', (error) => stream.destroy(error))
  try {
    for await (const chunk of stream) yield chunk as Buffer
  } catch (error) {
    throw unreadable(file, error)
  } finally {
    source.destroy()
    stream.destroy()
  }
}

function decode(file: string, line: number, parts: readonly Buffer[]): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)).trim()
  } catch (error) {
    // The decoder's only complaint in fatal mode is a byte sequence that is not UTF-8.
    if (error instanceof TypeError) throw binary(file, line, 'bytes that are not UTF-8')
    throw error
  }
}

function binary(file: string, line: number, found: string): HistoryError {
  return new HistoryError(
    'binary',
    file,
    line,
    `${found} found; expected one JSON object a line`,
    'a packed history must have a name that ends in .gz',
  )
}

function unreadable(file: string, error: unknown): HistoryError {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'Z_BUF_ERROR') {
    return new HistoryError('truncated', file, undefined, 'the gzip stream ends in the middle')
  }
  if (code?.startsWith('Z_') === true) {
    return new HistoryError('binary', file, undefined, `expected a gzip stream: ${messageOf(error)}`)
  }
  if (code === 'ENOENT') return new HistoryError('unreadable', file, undefined, 'no such file')
  if (code === 'EISDIR') {
    return new HistoryError('unreadable', file, undefined, 'is a directory; expected a history file')
  }
  return new HistoryError('unreadable', file, undefined, messageOf(error))
}
