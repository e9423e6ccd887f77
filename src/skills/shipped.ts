import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { ownFile } from '../environment/own-package.js'

/** The skills of this package, by the names of their folders. */
export const skillNames = [
  'designing-distributed-system-tests',
  'executing-distributed-system-tests',
] as const

/** The files of all skills: path within a skills folder, with forward slashes, to content. */
export async function shippedFiles(): Promise<ReadonlyMap<string, Buffer>> {
  const root = ownFile('skills')
  const files = new Map<string, Buffer>()
  for (const skill of skillNames) {
    const entries = await readdir(path.join(root, skill), { recursive: true, withFileTypes: true })
    for (const entry of entries.filter((one) => one.isFile())) {
      const file = path.join(entry.parentPath, entry.name)
      files.set(path.relative(root, file).split(path.sep).join('/'), await readFile(file))
    }
  }
  return new Map([...files].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** SHA-256 in hexadecimal. */
export function digestOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
