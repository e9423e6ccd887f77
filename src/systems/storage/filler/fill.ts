import { open, rm, writeFile } from 'node:fs/promises'

/** Chunks get smaller as the space does; no file system keeps a smaller rest than the last one. */
const chunks = [1024 * 1024, 64 * 1024, 4096, 512]

/** Appends zeros to a file until nothing is left. Returns how many bytes were added. */
export async function fill(path: string): Promise<number> {
  const file = await open(path, 'a', 0o600)
  let added = 0
  try {
    for (const size of chunks) {
      const zeros = Buffer.alloc(size)
      for (;;) {
        const written = await unlessFull(async () => (await file.write(zeros)).bytesWritten)
        added += written ?? 0
        // A write that came short was stopped by the end of the space as well.
        if (written === null || written < size) break
      }
    }
  } finally {
    await file.close()
  }
  return added
}

/** Writes a small file as the node would, and says how that went; the file is removed again. */
export async function probeWrite(path: string): Promise<'written' | 'ENOSPC'> {
  try {
    const done = await unlessFull(async () => {
      await writeFile(path, Buffer.alloc(4096), { flag: 'w' })
      return true
    })
    return done === null ? 'ENOSPC' : 'written'
  } finally {
    await rm(path, { force: true })
  }
}

async function unlessFull<T>(write: () => Promise<T>): Promise<T | null> {
  try {
    return await write()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return null
    throw error
  }
}
