interface Explanation {
  /** Names of faults; null for any. */
  readonly faults: readonly string[] | null
  /** Kinds of alarm. */
  readonly alarms: readonly string[]
  readonly pattern: RegExp
  readonly because: string
}

/**
 * What a declared fault explains. Losing a connection is what faults are for, and a system may well log the exception
 * that tells of it, unless nobody caught it; one that notices a broken disk is right to say so.
 */
const explanations: readonly Explanation[] = [
  {
    faults: null,
    alarms: ['exception with its stack', 'Python traceback'],
    pattern:
      /ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|socket hang up|Connect(?:ion)?\w*(?:Exception|Error)|Connection (?:refused|reset|closed|timed out)|Broken ?[Pp]ipe|Socket\w*Exception|EOFException|ClosedChannelException|Time(?:d?out|out)\w*(?:Exception|Error)|NoRouteToHost|Network is unreachable/,
    because: 'a lost connection, which the faults of the run explain',
  },
  {
    faults: ['disk-full'],
    alarms: ['disk', 'fatal', 'exception with its stack', 'Python traceback'],
    pattern: /No space left on device|ENOSPC/,
    because: 'a full disk, which the fault disk-full explains',
  },
  {
    faults: ['fsync-failure'],
    alarms: ['disk', 'fatal', 'exception with its stack', 'Python traceback'],
    pattern: /fsync|Input\/output error|\bEIO\b/,
    because: 'a failed fsync, which the fault fsync-failure explains',
  },
  {
    faults: ['bit-flip', 'corruption'],
    alarms: ['corruption', 'fatal', 'exception with its stack', 'Python traceback'],
    pattern: /[Cc]orrupt|[Cc]hecksum|\bcrc\b|\bCRC\b|invalid page|page verification|Bad file format/,
    because: 'the system noticed damage, which the faults of the run did',
  },
]

/** Why an alarm does not count under these faults; null when none of them explains it. */
export function explanationOf(
  { alarm, message }: { readonly alarm: string; readonly message: string },
  faults: readonly string[],
): string | null {
  if (faults.length === 0) return null
  const found = explanations.find(
    (one) =>
      one.alarms.includes(alarm) &&
      (one.faults === null || one.faults.some((fault) => faults.includes(fault))) &&
      one.pattern.test(message),
  )
  return found?.because ?? null
}
