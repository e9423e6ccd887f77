import { statSync } from 'node:fs'
import path from 'node:path'

/** The path of a program on the PATH or in the usual directories of system programs; null when it is not installed. */
export function findProgram(name: string): string | null {
  const candidates = name.startsWith('/')
    ? [name]
    : [
        ...(process.env['PATH'] ?? '').split(':'),
        '/usr/local/sbin',
        '/usr/sbin',
        '/sbin',
        '/usr/local/bin',
        '/usr/bin',
        '/bin',
      ]
        .filter((dir) => dir.startsWith('/'))
        .map((dir) => path.join(dir, name))
  return candidates.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true) ?? null
}
