import { closeSync, constants, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs'

const blockBytes = 4_096

/**
 * The content of one file, which knows what was on the disk when it was synced last.
 *
 * Data lies in a file behind it. Before a block that was synced is changed for the first time, its old content is put
 * aside, so that `forget` can bring it back; what was appended needs no more than the old size.
 */
export class FileContent {
  readonly #path: string
  #size = 0
  #syncedSize = 0
  #changed = false
  #unsyncedBytes = 0
  #file: number | null = null
  #aside: number | null = null
  readonly #putAside = new Set<number>()

  constructor(path: string) {
    this.#path = path
  }

  get size(): number {
    return this.#size
  }

  /** Bytes written or cut off since the last sync; what was only made room for does not count. */
  get unsyncedBytes(): number {
    return this.#unsyncedBytes
  }

  read(offset: number, bytes: number): Buffer {
    const wanted = Math.max(0, Math.min(bytes, this.#size - offset))
    const buffer = Buffer.alloc(wanted)
    if (wanted > 0) readSync(this.#data(), buffer, 0, wanted, offset)
    return buffer
  }

  write(offset: number, data: Buffer): void {
    this.#keepOld(offset, offset + data.length)
    let written = 0
    while (written < data.length) {
      written += writeSync(this.#data(), data, written, data.length - written, offset + written)
    }
    this.#size = Math.max(this.#size, offset + data.length)
    this.#changed = true
    this.#unsyncedBytes += data.length
  }

  truncate(size: number): void {
    this.#keepOld(size, this.#size)
    ftruncateSync(this.#data(), size)
    this.#changed = true
    this.#unsyncedBytes += Math.max(0, this.#size - size)
    this.#size = size
  }

  sync(): void {
    this.#syncedSize = this.#size
    this.#changed = false
    this.#unsyncedBytes = 0
    if (this.#putAside.size > 0) {
      this.#putAside.clear()
      ftruncateSync(this.#old(), 0)
    }
  }

  /** Back to what it was at the last sync. */
  forget(): void {
    if (!this.#changed) return
    const block = Buffer.alloc(blockBytes)
    for (const index of this.#putAside) {
      const bytes = readSync(this.#old(), block, 0, blockBytes, index * blockBytes)
      writeSync(this.#data(), block, 0, bytes, index * blockBytes)
    }
    ftruncateSync(this.#data(), this.#syncedSize)
    this.#size = this.#syncedSize
    this.sync()
  }

  /** Lets go of descriptors; they are opened again when they are needed. */
  close(): void {
    if (this.#file !== null) closeSync(this.#file)
    if (this.#aside !== null) closeSync(this.#aside)
    this.#file = null
    this.#aside = null
  }

  remove(): void {
    this.close()
    rmSync(this.#path, { force: true })
    rmSync(`${this.#path}.old`, { force: true })
  }

  #keepOld(from: number, to: number): void {
    const end = Math.min(to, this.#syncedSize)
    for (let index = Math.floor(from / blockBytes); index * blockBytes < end; index += 1) {
      if (this.#putAside.has(index)) continue
      const old = Buffer.alloc(Math.min(blockBytes, this.#syncedSize - index * blockBytes))
      readSync(this.#data(), old, 0, old.length, index * blockBytes)
      writeSync(this.#old(), old, 0, old.length, index * blockBytes)
      this.#putAside.add(index)
    }
  }

  #data(): number {
    return (this.#file ??= openAt(this.#path))
  }

  #old(): number {
    return (this.#aside ??= openAt(`${this.#path}.old`))
  }
}

/** Made when it is not there, and never cut: `r+` and `w+` each do only one of the two. */
function openAt(path: string): number {
  return openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
}
