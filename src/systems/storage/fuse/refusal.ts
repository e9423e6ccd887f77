import { constants } from 'node:os'

type Errno = keyof typeof constants.errno

/** An error that a file operation ends with, as errno(3) names it. */
export class Refusal extends Error {
  readonly code: Errno

  constructor(code: Errno) {
    super(code)
    this.code = code
  }
}

/** The number for the kernel: of a refusal, or of what the directory behind us said. EIO for anything else. */
export function errnoOf(error: unknown): number {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && code in constants.errno
    ? constants.errno[code as Errno]
    : constants.errno.EIO
}
