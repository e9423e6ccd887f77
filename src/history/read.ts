import { existsSync } from 'node:fs'
import { HistoryError } from '../errors.js'
import { JepsenEvents } from './jepsen.js'
import { journalEntry, journalFile, unanswered, type JournalEntry } from './journal.js'
import { readLines, type Line } from './lines.js'
import type { Operation } from './operation.js'
import type { HistoryProblem } from './problem.js'
import { kindOf, validateHistory, validateOperation } from './validate.js'

/** A history as read from a file. */
export interface History {
  /** In order of invocation; operations invoked at the same time stay in the order of the file. */
  readonly operations: Operation[]
  readonly format: 'native' | 'jepsen'
  /** What the reader left out or repaired, one remark each. */
  readonly notes: string[]
}

/**
 * Reads a recorded history line by line, native (one operation a line) or Jepsen-style (one event a line, see
 * `JepsenEvents`); the first line tells which. A name that ends in `.gz` is unpacked on the way.
 *
 * Beside a history whose recorder was killed lies its sidecar `<file>.open`: operations that were invoked and never
 * completed are then added as unknown ones, and a torn last line is forgiven.
 *
 * A history without operations is refused unless `allowEmpty`: a typical sign of a recorder that never ran.
 * Throws HistoryError that names file and line, with a HistoryProblemCode.
 */
export async function readHistory(file: string, { allowEmpty = false } = {}): Promise<History> {
  const history = await read(file)
  if (history.operations.length > 0 || allowEmpty || existsSync(journalFile(file))) return history
  throw new HistoryError(
    'empty',
    file,
    undefined,
    'the history holds no operation, so there is nothing to judge',
  )
}

async function read(file: string): Promise<History> {
  const recovering = existsSync(journalFile(file))
  const lines = readLines(file)
  const first = await lines.next()
  if (first.done === true) return readNative(file, [], recovering)
  const format = formatOf(file, first.value, recovering)
  const all = prepend(first.value, lines)
  return format === 'native' ? readNative(file, all, recovering) : readJepsen(file, all)
}

async function* prepend(first: Line, rest: AsyncIterable<Line>): AsyncGenerator<Line> {
  yield first
  yield* rest
}

function formatOf(file: string, line: Line, recovering: boolean): History['format'] {
  // Only our own recorder leaves a sidecar, and its first line may be torn.
  if (recovering) return 'native'
  const value = parse(file, line)
  if (typeof value === 'object' && value !== null) {
    if ('op_id' in value || 'invoke_ts' in value) return 'native'
    if ('process' in value || 'type' in value) return 'jepsen'
  }
  throw new HistoryError(
    'unknown-format',
    file,
    line.number,
    `expected an operation with "op_id" or an event with "process" and "type", found ${kindOf(value)}`,
  )
}

async function readJepsen(file: string, lines: AsyncIterable<Line>): Promise<History> {
  const events = new JepsenEvents()
  for await (const line of lines) {
    const problem = events.add(parse(file, line))
    if (problem !== null) throw asError(file, line.number, problem)
  }
  return { ...events.finish(), format: 'jepsen' }
}

async function readNative(
  file: string,
  lines: AsyncIterable<Line> | Iterable<Line>,
  recovering: boolean,
): Promise<History> {
  const operations: Operation[] = []
  const lineNumbers: number[] = []
  const notes: string[] = []
  for await (const line of lines) {
    if (recovering && !line.terminated) {
      notes.push(
        `${file}:${line.number}: the last line is torn and was left out: the recorder was killed while writing`,
      )
      continue
    }
    const judged = validateOperation(parse(file, line))
    if ('problem' in judged) throw asError(file, line.number, judged.problem)
    operations.push(judged.operation)
    lineNumbers.push(line.number)
  }
  if (recovering) operations.push(...(await recover(file, operations, notes)))
  const wrong = validateHistory(operations)
  if (wrong !== null) throw asError(file, lineNumbers[wrong.index], wrong.problem)
  operations.sort((a, b) => a.invoke_ts - b.invoke_ts)
  return { operations, format: 'native', notes }
}

async function recover(file: string, completed: readonly Operation[], notes: string[]): Promise<Operation[]> {
  const journal = journalFile(file)
  const entries: JournalEntry[] = []
  for await (const line of readLines(journal)) {
    if (!line.terminated) {
      notes.push(
        `${journal}:${line.number}: the last line is torn and was left out: its operation was never sent`,
      )
      continue
    }
    const entry = journalEntry(parse(journal, line))
    if (entry === null) {
      throw new HistoryError('wrong-type', journal, line.number, 'is not an entry of a recorder sidecar')
    }
    entries.push(entry)
  }
  const operations = unanswered(entries, new Set(completed.map((operation) => operation.op_id)))
  notes.push(`the recorder was killed: ${operations.length} unanswered operations were taken from ${journal}`)
  return operations
}

function parse(file: string, line: Line): unknown {
  try {
    return JSON.parse(line.text)
  } catch (error) {
    // JSON.parse throws nothing but SyntaxError, whose message adds no more than the line itself.
    if (!(error instanceof SyntaxError)) throw error
    if (!line.terminated) {
      throw new HistoryError(
        'truncated',
        file,
        line.number,
        'the last line ends in the middle of a JSON object: the file is cut off',
      )
    }
    throw new HistoryError(
      'not-json',
      file,
      line.number,
      `expected one JSON object, found ${excerpt(line.text)}`,
    )
  }
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text)
}

function asError(file: string, line: number | undefined, problem: HistoryProblem): HistoryError {
  return new HistoryError(problem.code, file, line, problem.message, problem.hint)
}
