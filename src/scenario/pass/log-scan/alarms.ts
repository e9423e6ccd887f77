/** A kind of line that says that a program is broken. */
export interface Alarm {
  readonly name: string
  /** Finds it in text of several lines, `^` and `$` being the ends of a line. */
  readonly pattern: RegExp
  /** Lines that it would find and that are part of ordinary life. */
  readonly harmless?: RegExp
}

/** An alarm of every system. */
export interface CommonAlarm extends Alarm {
  /** A line that the pattern finds has one of these in it, as written. Four characters or more. */
  readonly words: readonly string[]
}

/** PostgreSQL says FATAL when a session ends, also for reasons of the client, of a start and of a shutdown. */
const endsOfSessions =
  /FATAL: {2}(?:the database system is (?:starting up|shutting down|in recovery mode|not (?:yet )?accepting connections)|terminating (?:connection|walreceiver|background worker|logical replication|autovacuum)|connection to client lost|canceling |sorry, too many clients|too many connections|remaining connection slots|role ".*" does not exist|database ".*" does not exist|no pg_hba\.conf entry|(?:password|peer|ident|trust) authentication failed|unsupported frontend protocol|could not (?:connect to the primary|receive data from WAL stream|send data to WAL stream|send end-of-streaming))/

/** What counts in every system's log, the more telling kind first: a line is of the first one that finds it. */
export const commonAlarms: readonly CommonAlarm[] = [
  {
    name: 'data race',
    words: ['DATA RACE', 'data race'],
    pattern: /WARNING: DATA RACE|ThreadSanitizer: data race/,
  },
  {
    name: 'sanitizer',
    words: ['Sanitizer', 'runtime error: '],
    pattern: /(?:ERROR|WARNING): (?:Address|HWAddress|Leak|Memory|Thread)Sanitizer|:\d+:\d+: runtime error: /,
  },
  {
    name: 'out of memory',
    words: ['of memory', 'of Memory', 'Of Memory', 'OF MEMORY', 'OutOfMemory', 'allocate memory'],
    pattern: /[Oo]ut [Oo]f [Mm]emory|OUT OF MEMORY|OutOfMemory|Cannot allocate memory/,
  },
  {
    name: 'Go panic',
    words: ['panic: ', 'panic serving'],
    pattern: /\bpanic: |http: panic serving/,
  },
  {
    name: 'Go fatal error',
    words: ['fatal error', 'unexpected fault address', '[signal SIG'],
    pattern: /^fatal error: |^unexpected fault address|^\[signal SIG/,
  },
  {
    name: 'Rust panic',
    words: ['panicked at'],
    pattern: /panicked at /,
  },
  {
    name: 'assertion',
    words: ['ssertion', 'SSERTION', 'Assert('],
    pattern: /ASSERTION FAILED|AssertionError|FailedAssertion|failed Assert\(|[Aa]ssertion\b.{0,200}\bfailed/,
  },
  {
    name: 'crash',
    words: [
      ...['egmentation fault', 'SIGSEGV', 'SIGBUS', 'segfault at', 'core dumped', 'terminate called'],
      ...['by signal', 'stack smashing', 'double free', 'munmap_chunk', 'REDIS BUG', 'Guru Meditation'],
    ],
    pattern:
      /[Ss]egmentation fault|SIGSEGV|SIGBUS|segfault at|core dumped|terminate called (?:after|without)|by signal:? (?!1\b|2\b|15\b)\d+|stack smashing detected|double free (?:or corruption|detected)|munmap_chunk\(\)|REDIS BUG REPORT START|Guru Meditation/,
  },
  {
    name: 'uncaught exception',
    words: [
      ...['Exception in thread', 'nhandled exception', 'Uncaught', 'Node.js v', 'FATAL ERROR'],
      ...[
        'nhandledRejection',
        'nhandledPromiseRejection',
        'nhandled promise rejection',
        'nhandled rejection',
      ],
    ],
    pattern:
      /Exception in thread "|[Uu]nhandled exception\b|Uncaught \w*(?:Error|Exception)|^Node\.js v\d+\.\d+\.\d+\r?$|[Uu]nhandled ?(?:[Pp]romise ?)?[Rr]ejection|FATAL ERROR: /,
  },
  {
    name: 'Python traceback',
    words: ['Traceback'],
    pattern: /Traceback \(most recent call last\):/,
  },
  {
    name: 'exception with its stack',
    words: ['Error', 'Exception'],
    pattern: /(?:Error|Exception)\b.*\n[ \t]+at /,
  },
  {
    name: 'corruption',
    words: [
      'orrupt',
      'hecksum',
      'crc mismatch',
      'CRC mismatch',
      'verification failed',
      'invalid page',
      'Bad file',
    ],
    pattern:
      /(?<![\w-]|[Nn]o |some data is )[Cc]orrupt(?:ed|ion)?\b(?![-_=]| check)|[Cc]hecksum (?:mismatch|error|fail|verification failed)|\b(?:crc|CRC) mismatch|page verification failed|invalid page in block|Bad file format reading/,
  },
  {
    name: 'disk',
    words: ['No space left', 'ENOSPC', 'Input/output error', 'EIO:', ' EIO', 'Read-only file system'],
    pattern: /No space left on device|ENOSPC|Input\/output error|\bEIO\b|Read-only file system/,
  },
  {
    name: 'internal error',
    words: ['nternal e', 'nternal E', 'nternal s', 'nternal S', 'INTERNAL ERROR', '= Internal'],
    pattern: /\b[Ii]nternal (?:[Ss]erver )?[Ee]rror\b|INTERNAL ERROR|code = Internal\b/,
  },
  {
    name: 'fatal',
    words: ['FATAL', 'PANIC', '"fatal"', '"panic"', '"dpanic"', '=fatal', '=panic', ' C | '],
    pattern:
      /\b(?:FATAL|PANIC)\b|"level":"(?:fatal|panic|dpanic)"|\blevel=(?:fatal|panic)\b|^\d{4}-\d\d-\d\d [\d:.]+ C \| /,
    harmless: endsOfSessions,
  },
]
