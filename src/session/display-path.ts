import { relative } from 'node:path'

/** A file or directory as one would type it here: relative when it is inside the working directory. */
export function displayPath(path: string): string {
  const within = relative(process.cwd(), path)
  return within === '' || within.startsWith('..') ? path : within.replaceAll('\\', '/')
}
