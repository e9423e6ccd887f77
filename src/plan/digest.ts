import { createHash } from 'node:crypto'

/** A short digest of a plan or a part of it; white space at the ends of lines and of the text does not count. */
export function digestOf(text: string): string {
  const normal = text.replaceAll(/[ \t]*\r?\n/g, '\n').trim()
  return createHash('sha256').update(normal).digest('hex').slice(0, 16)
}
