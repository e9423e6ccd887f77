import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { SessionError } from '../errors.js'

/**
 * Writes a file so that a reader, also after a crash, finds the old content or the new one and never a part.
 * Makes the directory. Several processes may write the same file: the last one wins.
 * Throws SessionError that names the file when it cannot be written.
 */
export async function writeAtomically(file: string, content: string | Uint8Array): Promise<void> {
  try {
    await write(file, content)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new SessionError('not-written', `${file} could not be written: ${why}`, {
      hint: 'make room there, or name a directory that can be written: that of sessions is `sessions` of nemesis()',
      cause: error,
    })
  }
}

async function write(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${randomUUID()}.tmp`
  try {
    const handle = await open(draft, 'wx')
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
