import { existsSync } from 'node:fs'
import { HistoryError } from '../errors.js'
import { ColumnsBuilder } from './columns-builder.js'
import type { Columns } from './columns.js'
import type { FaultSpan } from './fault-span.js'
import { JepsenEvents } from './jepsen.js'
import { journalEntry, journalFile, unanswered, type JournalEntry } from './journal.js'
import { forEachLine, type Line } from './lines.js'
import type { Operation } from './operation.js'
import type { HistoryProblem } from './problem.js'
import { validateColumns } from './validate-columns.js'
import { kindOf, validateOperation } from './validate.js'

/** A history as read from a file. */
export interface History {
  /** In order of invocation; operations invoked at the same time stay in the order of the file. */
  readonly operations: Operation[]
  readonly format: HistoryFormat
  /** What the reader left out or repaired, one remark each. */
  readonly notes: string[]
  /** The faults that the events of a nemesis tell; operations carry those that our own recorder knew. */
  readonly faults: readonly FaultSpan[]
}

/** A history as read from a file, in columns. */
export interface ColumnHistory extends Omit<History, 'operations'> {
  readonly columns: Columns
}

export type HistoryFormat = 'native' | 'jepsen'

interface ReadOptions {
  readonly allowEmpty?: boolean
  /** What a line is; told by the first one when left out. */
  readonly format?: HistoryFormat | undefined
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
export async function readHistory(file: string, options: ReadOptions = {}): Promise<History> {
  const { columns, ...history } = await readColumns(file, options)
  const operations = Array.from({ length: columns.count }, (_, index) => columns.operationAt(index))
  return { operations, ...history }
}

/** Reads a history like `readHistory`, into columns: a million operations without an object for each. */
export async function readColumns(
  file: string,
  { allowEmpty = false, format }: ReadOptions = {},
): Promise<ColumnHistory> {
  const recovering = existsSync(journalFile(file))
  let reader: LineReader | null = null
  await forEachLine(file, (line) => {
    reader ??= readerOf(file, line, { recovering, format })
    reader.take(line)
  })
  // The compiler does not see that the callback may have set it.
  const history = await ((reader as LineReader | null) ?? new NativeReader(file, recovering)).finish()
  if (history.columns.count > 0 || allowEmpty || recovering) return history
  throw new HistoryError(
    'empty',
    file,
    undefined,
    'the history holds no operation, so there is nothing to judge',
  )
}

/** Takes the lines of a history one by one. */
interface LineReader {
  take(line: Line): void
  finish(): Promise<ColumnHistory>
}

function readerOf(
  file: string,
  line: Line,
  { recovering, format }: { recovering: boolean; format: HistoryFormat | undefined },
): LineReader {
  if (format === 'jepsen') return new JepsenReader(file)
  // Only our own recorder leaves a sidecar, and its first line may be torn.
  if (recovering || format === 'native') return new NativeReader(file, recovering)
  const value = parse(file, line)
  if (typeof value === 'object' && value !== null) {
    if ('op_id' in value || 'invoke_ts' in value) return new NativeReader(file, false)
    if ('process' in value || 'type' in value) return new JepsenReader(file)
  }
  throw new HistoryError(
    'unknown-format',
    file,
    line.number,
    `expected an operation with "op_id" or an event with "process" and "type", found ${kindOf(value)}`,
  )
}

class JepsenReader implements LineReader {
  readonly #file: string
  readonly #events = new JepsenEvents()

  constructor(file: string) {
    this.#file = file
  }

  take(line: Line): void {
    const problem = this.#events.add(parse(this.#file, line))
    if (problem !== null) throw asError(this.#file, line.number, problem)
  }

  async finish(): Promise<ColumnHistory> {
    return { ...this.#events.finish(), format: 'jepsen' }
  }
}

class NativeReader implements LineReader {
  readonly #file: string
  readonly #recovering: boolean
  readonly #builder = new ColumnsBuilder()
  readonly #lines = new LineNumbers()
  readonly #notes: string[] = []

  constructor(file: string, recovering: boolean) {
    this.#file = file
    this.#recovering = recovering
  }

  take(line: Line): void {
    if (this.#recovering && !line.terminated) {
      this.#notes.push(
        `${this.#file}:${line.number}: the last line is torn and was left out: the recorder was killed while writing`,
      )
      return
    }
    const judged = validateOperation(parse(this.#file, line))
    if ('problem' in judged) throw asError(this.#file, line.number, judged.problem)
    this.#lines.note(this.#builder.count, line.number)
    this.#builder.add(judged.operation)
  }

  async finish(): Promise<ColumnHistory> {
    const read = this.#builder.count
    if (this.#recovering) await this.#recover()
    const { columns, order } = this.#builder.finish()
    const wrong = validateColumns(columns, order)
    if (wrong !== null) {
      const line = wrong.added < read ? this.#lines.of(wrong.added) : undefined
      throw asError(this.#file, line, wrong.problem)
    }
    return { columns, format: 'native', notes: this.#notes, faults: [] }
  }

  async #recover(): Promise<void> {
    const journal = journalFile(this.#file)
    const completed = new Set<string | number>()
    for (let index = 0; index < this.#builder.count; index += 1) completed.add(this.#builder.idAt(index))
    const entries: JournalEntry[] = []
    await forEachLine(journal, (line) => {
      if (!line.terminated) {
        this.#notes.push(
          `${journal}:${line.number}: the last line is torn and was left out: its operation was never sent`,
        )
        return
      }
      const entry = journalEntry(parse(journal, line))
      if (entry === null) {
        throw new HistoryError('wrong-type', journal, line.number, 'is not an entry of a recorder sidecar')
      }
      entries.push(entry)
    })
    const operations = unanswered(entries, completed)
    for (const operation of operations) this.#builder.add(operation)
    this.#notes.push(
      `the recorder was killed: ${operations.length} unanswered operations were taken from ${journal}`,
    )
  }
}

/** The line of each operation; kept only where an operation does not follow the one before it at once. */
class LineNumbers {
  readonly #jumps: { index: number; line: number }[] = []
  #next = 0

  note(index: number, line: number): void {
    if (line !== this.#next) this.#jumps.push({ index, line })
    this.#next = line + 1
  }

  of(index: number): number | undefined {
    const jump = this.#jumps.findLast((one) => one.index <= index)
    return jump && jump.line + index - jump.index
  }
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
