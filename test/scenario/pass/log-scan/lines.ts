/** Lines that servers have written, each with the kind of alarm that it is. */
export const alarming: readonly (readonly [string, string])[] = [
  ['crash', '=== REDIS BUG REPORT START: Cut & paste starting from here ==='],
  ['crash', '29705:M 30 Nov 2026 18:36:19.462 # Redis 7.0.15 crashed by signal: 11, si_code: 2'],
  [
    'crash',
    '29993:M 30 Nov 2026 18:36:22.608 # Guru Meditation: DEBUG PANIC called at Unix time 1796063782 #debug.c:510',
  ],
  ['assertion', '30197:M 30 Nov 2026 18:36:25.105 # === ASSERTION FAILED ==='],
  ['corruption', '2026-11-30 18:36:34.829088 C | etcdmain: walpb: crc mismatch'],
  [
    'fatal',
    '2026-11-30 18:36:34.829088 C | etcdmain: listen tcp 127.0.0.1:2380: bind: address already in use',
  ],
  [
    'fatal',
    '{"level":"fatal","ts":"2026-11-30T18:36:34.829Z","caller":"etcdmain/etcd.go:204","msg":"discovery failed"}',
  ],
  ['Go panic', 'panic: runtime error: invalid memory address or nil pointer dereference'],
  ['Go panic', '2026/11/30 18:36:34 http: panic serving 127.0.0.1:53412: boom'],
  ['Go fatal error', 'fatal error: all goroutines are asleep - deadlock!'],
  ['Go fatal error', 'fatal error: concurrent map writes'],
  ['Go fatal error', '[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x47d2e0]'],
  ['data race', 'WARNING: DATA RACE'],
  [
    'crash',
    '2026-11-30 18:37:01.147 UTC [32485] LOG:  server process (PID 32683) was terminated by signal 9: Killed',
  ],
  [
    'crash',
    '2026-11-30 18:37:10.390 UTC [766] LOG:  startup process (PID 774) was terminated by signal 6: Aborted',
  ],
  ['fatal', '2026-11-30 18:37:10.385 UTC [774] PANIC:  could not locate a valid checkpoint record'],
  [
    'disk',
    '2026-11-30 18:37:10.385 UTC [774] PANIC:  could not write to file "pg_wal/xlogtemp.774": No space left on device',
  ],
  ['assertion', 'TRAP: failed Assert("!TransactionIdIsValid(xid)"), File: "xact.c", Line: 401, PID: 774'],
  ['corruption', 'WARNING:  page verification failed, calculated checksum 3482 but expected 9481'],
  ['Rust panic', "thread 'main' panicked at src/main.rs:4:5:"],
  [
    'Python traceback',
    'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nZeroDivisionError: division by zero',
  ],
  ['uncaught exception', 'Node.js v20.20.2'],
  [
    'uncaught exception',
    '[UnhandledPromiseRejection: This error originated either by throwing inside of an async function]',
  ],
  [
    'out of memory',
    'FATAL ERROR: Ineffective mark-compacts near heap limit Allocation failed - JavaScript heap out of memory',
  ],
  [
    'exception with its stack',
    "TypeError: Cannot read properties of undefined (reading 'term')\n    at Node.onVote (file:///srv/raft.js:88:21)",
  ],
  [
    'uncaught exception',
    'Exception in thread "main" java.lang.IllegalStateException: no leader\n\tat a.B.c(B.java:12)',
  ],
  [
    'exception with its stack',
    'java.lang.NullPointerException: null\n\tat org.example.Raft.append(Raft.java:99)',
  ],
  ['out of memory', 'java.lang.OutOfMemoryError: Java heap space'],
  ['assertion', "store: log.c:88: append: Assertion `index == last + 1' failed."],
  ['crash', "terminate called after throwing an instance of 'std::out_of_range'"],
  ['crash', 'free(): double free or corruption (fasttop)'],
  ['sanitizer', '==774==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010'],
  ['sanitizer', 'log.c:88:17: runtime error: signed integer overflow'],
  ['internal error', 'rpc error: code = Internal desc = lost quorum'],
  ['internal error', 'PUT /k 500 Internal Server Error'],
]

/** Lines that servers write in ordinary life, under kills and restarts, and when they are stopped. */
export const ordinary: readonly string[] = [
  '29331:M 30 Nov 2026 18:36:16.430 # WARNING Memory overcommit must be enabled! Without it, a background save or replication may fail under low memory condition. Being disabled, it can can also cause failures without low memory condition, see https://github.com/jemalloc/jemalloc/issues/1328.',
  '29331:signal-handler (1796063777) Received SIGTERM scheduling shutdown...',
  '29331:M 30 Nov 2026 18:36:17.542 # Redis is now ready to exit, bye bye...',
  '2026-11-30 18:36:33.777228 N | pkg/osutil: received terminated signal, shutting down...',
  '2026-11-30 18:36:30.777024 W | auth: simple token is not cryptographically signed',
  '{"level":"info","msg":"starting an etcd server","initial-corrupt-check":false,"corrupt-check-time-interval":"0s","v2-deprecation":"not-yet"}',
  '{"level":"warn","msg":"lost TCP streaming connection with remote peer","error":"unexpected EOF"}',
  '2026-11-30 18:36:58.408 UTC [32489] FATAL:  the database system is starting up',
  '2026-11-30 18:36:59.163 UTC [32665] FATAL:  role "nobody" does not exist',
  '2026-11-30 18:36:59.493 UTC [32679] ERROR:  column "foo" does not exist at character 8',
  '2026-11-30 18:37:01.246 UTC [32747] FATAL:  the database system is in recovery mode',
  '2026-11-30 18:37:07.101 UTC [562] FATAL:  the database system is not yet accepting connections',
  '2026-11-30 18:37:05.576 UTC [541] HINT:  This probably means that some data is corrupted and you will have to use the last backup for recovery.',
  '2026-11-30 18:37:08.668 UTC [652] FATAL:  the database system is shutting down',
  '2026-11-30 18:37:08.729 UTC [590] FATAL:  terminating connection due to administrator command',
  '2026-11-30 18:37:08.738 UTC [538] LOG:  background worker "logical replication launcher" (PID 567) exited with exit code 1',
  '2026-11-30 18:37:06.891 UTC [541] LOG:  invalid record length at 0/1516730: wanted 24, got 0',
  'server closed by signal 15',
  'Error: connect ECONNREFUSED 127.0.0.1:7000',
  'no corruption found',
]
