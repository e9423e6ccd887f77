import { createHash } from 'node:crypto'
import { chown, open, readdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { FaultError } from '../../errors.js'
import type { StoredFile } from '../capabilities.js'
import { inside } from './inside.js'

/** A larger file is not read: its content is held in memory. */
const readMaxBytes = 512 * 1024 * 1024

/** Regular files below a directory, by path; those that vanish while it is read are left out. */
export async function filesIn(dataDir: string): Promise<readonly StoredFile[]> {
  const files = await filesBelow(dataDir, '')
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

async function filesBelow(dataDir: string, directory: string): Promise<readonly StoredFile[]> {
  const entries = await ifThere(readdir(join(dataDir, directory), { withFileTypes: true }))
  const found = await Promise.all(
    (entries ?? []).map(async (entry): Promise<readonly StoredFile[]> => {
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`
      if (entry.isDirectory()) return filesBelow(dataDir, path)
      if (!entry.isFile()) return []
      const info = await ifThere(stat(join(dataDir, path)))
      return info === null ? [] : [{ path, bytes: info.size }]
    }),
  )
  return found.flat()
}

async function ifThere<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Throws FaultError for a path outside, for what is no regular file, and for more than 512 MiB. */
export async function readIn(dataDir: string, path: string): Promise<Uint8Array> {
  const file = await open(await inside(dataDir, path), 'r')
  try {
    const info = await file.stat()
    if (!info.isFile()) throw new FaultError('not-a-file', `${path} in ${dataDir} is no regular file`)
    if (info.size > readMaxBytes) {
      throw new FaultError('too-large', `${path} has ${info.size} bytes: at most ${readMaxBytes} are read`, {
        hint: 'choose a smaller file',
      })
    }
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** Replaces the content of a file and syncs it. One that is made anew belongs to the owner of its directory. */
export async function writeIn(dataDir: string, path: string, content: Uint8Array): Promise<void> {
  const target = await inside(dataDir, path)
  const isNew = (await ifThere(stat(target))) === null
  const file = await open(target, isNew ? 'wx' : 'r+')
  try {
    await file.truncate(0)
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  if (isNew && process.getuid?.() === 0) {
    const { uid, gid } = await stat(dirname(target))
    await chown(target, uid, gid)
  }
}

/** Free bytes (for whoever is not root) and all bytes of the file system that holds a directory. */
export async function spaceOf(directory: string): Promise<{ freeBytes: number; totalBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(directory)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

/** SHA-256 in hexadecimal digits. */
export function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
