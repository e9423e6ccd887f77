import { readFile } from 'node:fs/promises'

/** What a file of the kernel's says; null when it is not there, or not ours to read. */
export async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    // Gone with its process, or on another kernel: the caller has another way.
    return null
  }
}
