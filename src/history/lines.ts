import { isAscii, isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
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
const openingBrace = 0x7b
const closingBrace = 0x7d
const chunkBytes = 1 << 18
/** Of so much text at a time the engine makes strings where it also makes small ones; longer ones cost a call to the system. */
const pieceBytes = 1 << 16

/**
 * Hands over the non-blank lines of a UTF-8 file, one at a time; a name that ends in `.gz` is unpacked on the way. What
 * `take` throws ends the reading. The file is never in memory as a whole.
 *
 * Throws HistoryError `unreadable`, `binary` (NUL bytes or not UTF-8) or `truncated` (a cut-off gzip stream).
 */
export async function forEachLine(file: string, take: (line: Line) => void): Promise<void> {
  let rest: Buffer[] = []
  let number = 1
  const takeAll = (text: string, terminated: boolean) => {
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      const line = trimmed(text.slice(start, end))
      if (line !== '') take({ text: line, number, terminated: true })
      number += 1
      start = end + 1
    }
    const last = trimmed(text.slice(start))
    if (last !== '') take({ text: last, number, terminated })
  }
  for await (const chunk of chunks(file)) {
    if (chunk.includes(0))
      throw binary(file, number + newlinesIn([...rest, chunk.subarray(0, chunk.indexOf(0))]), 'a NUL byte')
    const first = chunk.indexOf(newline) + 1
    if (first === 0) {
      rest.push(Buffer.from(chunk))
      continue
    }
    takeAll(decode(file, number, [...rest, chunk.subarray(0, first)]), true)
    const end = chunk.lastIndexOf(newline) + 1
    // Whole lines are decoded together: one by one would cost more than parsing them.
    for (let start = first; start < end;) {
      const next = endOfPiece(chunk, start)
      takeAll(decode(file, number, [chunk.subarray(start, next)]), true)
      start = next
    }
    // The next chunk takes the place of this one.
    rest = [Buffer.from(chunk.subarray(end))]
  }
  takeAll(decode(file, number, rest), false)
}

/** Without white space around it; most lines are objects without any, which is seen at once. */
function trimmed(line: string): string {
  const isBare = line.charCodeAt(0) === openingBrace && line.charCodeAt(line.length - 1) === closingBrace
  return isBare ? line : line.trim()
}

/** Where a piece of whole lines ends that begins at `start`, of which a newline follows. */
function endOfPiece(chunk: Buffer, start: number): number {
  const end = chunk.subarray(start, start + pieceBytes).lastIndexOf(newline)
  return (end === -1 ? chunk.indexOf(newline, start) : start + end) + 1
}

function newlinesIn(parts: readonly Buffer[]): number {
  let count = 0
  for (const byte of Buffer.concat(parts)) if (byte === newline) count += 1
  return count
}

/** The bytes of a file, unpacked; each chunk is overwritten by the next. */
async function* chunks(file: string): AsyncGenerator<Buffer> {
  try {
    yield* file.endsWith('.gz') ? unpacked(file) : plain(file)
  } catch (error) {
    throw unreadable(file, error)
  }
}

/** Always in the same memory: getting more from the system for every chunk would take a fifth of the time. */
async function* plain(file: string): AsyncGenerator<Buffer> {
  const handle = await open(file)
  try {
    const memory = Buffer.allocUnsafe(chunkBytes)
    for (;;) {
      const { bytesRead } = await handle.read(memory, 0, chunkBytes, null)
      if (bytesRead === 0) return
      yield memory.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

async function* unpacked(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file, { highWaterMark: chunkBytes })
  const stream = source.pipe(createGunzip({ chunkSize: chunkBytes }))
  // `pipe` does not hand errors on, so a file that cannot be read would leave the unpacker waiting for ever.
  source.on('error', (error) => stream.destroy(error))
  try {
    for await (const chunk of stream) yield chunk as Buffer
  } finally {
    source.destroy()
    stream.destroy()
  }
}

/** Text of whole lines, of which the first has the number `line`. */
function decode(file: string, line: number, parts: readonly Buffer[]): string {
  const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
  // Most histories are ASCII, which is copied as it is.
  if (isAscii(bytes)) return bytes.toString('latin1')
  if (isUtf8(bytes)) return bytes.toString('utf8')
  throw binary(file, line + newlinesIn([validStart(bytes)]), 'bytes that are not UTF-8')
}

/** The lines before the first that is not UTF-8. */
function validStart(bytes: Buffer): Buffer {
  let start = 0
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    if (!isUtf8(bytes.subarray(start, end))) break
    start = end + 1
  }
  return bytes.subarray(0, start)
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
