import { open, readFile, truncate, type FileHandle } from 'node:fs/promises'

/**
 * An append-only file of JSON lines that survives `kill -9`: `append` resolves only when the record is on disk.
 * With `sync: false` it resolves when the kernel has the record, which survives `kill -9` but no loss of power.
 *
 * Appends that arrive while the disk is busy share the next fsync.
 */
export class Journal<Entry> {
  readonly #file: FileHandle
  readonly #sync: boolean
  #waiting: { line: string; resolve: () => void; reject: (error: unknown) => void }[] = []
  #busy = false

  private constructor(file: FileHandle, sync: boolean) {
    this.#file = file
    this.#sync = sync
  }

  /** Opens the file and returns what it holds. A last line that was cut off by a crash was never acknowledged: it is removed. */
  static async open<Entry>(
    path: string,
    { sync }: { readonly sync: boolean },
  ): Promise<{ journal: Journal<Entry>; entries: Entry[] }> {
    const file = await open(path, 'a')
    const text = await readFile(path, 'utf8')
    const complete = text.slice(0, text.lastIndexOf('\n') + 1)
    if (complete.length < text.length) await truncate(path, Buffer.byteLength(complete))
    const lines = complete.split('\n').filter((line) => line !== '')
    return {
      journal: new Journal<Entry>(file, sync),
      entries: lines.map((line) => JSON.parse(line) as Entry),
    }
  }

  append(entry: Entry): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line: `${JSON.stringify(entry)}\n`, resolve, reject })
      if (!this.#busy) void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    this.#busy = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      try {
        await this.#file.appendFile(batch.map(({ line }) => line).join(''))
        if (this.#sync) await this.#file.datasync()
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#busy = false
  }
}
