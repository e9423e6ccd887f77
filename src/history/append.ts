import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'
import { HistoryError, messageOf } from '../errors.js'

/**
 * A file that is only added to. A line is with the operating system when `append` returns, so that it outlives the
 * process (even `kill -9`), though not a power cut.
 */
export class AppendOnlyFile {
  readonly #file: string
  readonly #descriptor: number

  /** Throws HistoryError `exists` when the file is already there: two runs never share one. */
  constructor(file: string) {
    this.#file = file
    try {
      mkdirSync(path.dirname(file), { recursive: true })
      this.#descriptor = openSync(file, 'ax')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw this.#unwritable(error)
      throw new HistoryError(
        'exists',
        file,
        undefined,
        'exists already; every run records into a file of its own',
      )
    }
  }

  append(line: string): void {
    const bytes = Buffer.from(line)
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(this.#descriptor, bytes, done)
    } catch (error) {
      throw this.#unwritable(error)
    }
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #unwritable(error: unknown): HistoryError {
    return new HistoryError('unwritable', this.#file, undefined, `cannot be written: ${messageOf(error)}`)
  }
}
