import type { Disturbance } from '../../capabilities.js'

/** What the tracer is told to do, and what it counts. */
export interface SystemCallInjection {
  readonly mechanism: string
  readonly calls: readonly string[]
  /** As in strace(1), after `inject=<calls>:`. */
  readonly action: string
  /**
   * Only calls on files of the data directory. Needed for calls that sockets and pipes know as well; syncs exist for
   * files alone, and without the restriction those of files that have just been made are met too.
   */
  readonly onDataOnly: boolean
  /** What the count is of. */
  readonly signal: string
}

// With a question mark: not every architecture and kernel has them.
const syncs = ['fsync', 'fdatasync', '?msync', '?syncfs']
const writes = ['write', 'pwrite64', 'writev', '?pwritev', '?pwritev2', '?fallocate']
const reads = ['read', 'pread64', 'readv', '?preadv', '?preadv2']

/** Null for what cannot be done to system calls: changing bits of what they carry. */
export function injectionFor(disturbance: Disturbance): SystemCallInjection | null {
  switch (disturbance.kind) {
    case 'full':
      return failing(writes, { error: 'ENOSPC', onDataOnly: true, what: 'writes' })
    case 'slow': {
      const microseconds = Math.round(disturbance.delayMs * 1_000)
      return {
        mechanism: 'strace delay injection',
        calls: [...syncs, ...writes],
        action: `delay_enter=${microseconds}`,
        onDataOnly: true,
        signal: `writes and syncs delayed by ${disturbance.delayMs} ms`,
      }
    }
    case 'fail': {
      const { operation, error } = disturbance
      const calls = { fsync: syncs, write: writes, read: reads }[operation]
      return failing(calls, {
        error,
        onDataOnly: operation !== 'fsync',
        what: { fsync: 'syncs', write: 'writes', read: 'reads' }[operation],
      })
    }
    case 'flip':
      return null
  }
}

function failing(
  calls: readonly string[],
  { error, onDataOnly, what }: { error: string; onDataOnly: boolean; what: string },
): SystemCallInjection {
  return {
    mechanism: 'strace error injection',
    calls,
    action: `error=${error}`,
    onDataOnly,
    signal: `${what} that failed with ${error}`,
  }
}
