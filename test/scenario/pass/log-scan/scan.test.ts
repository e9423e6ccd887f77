import { execa } from 'execa'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commonAlarms } from '../../../../src/scenario/pass/log-scan/alarms.js'
import { scanLogs } from '../../../../src/scenario/pass/log-scan/scan.js'
import type { LogRules } from '../../../../src/scenario/spec.js'
import { temporaryDirectory } from '../../../support/temporary.js'
import { requires } from '../../../support/requirements.js'
import { alarming, ordinary } from './lines.js'

async function scanned(content: string | Buffer, given: { rules?: LogRules; faults?: string[] } = {}) {
  const path = join(await temporaryDirectory(), 'n1.log')
  await writeFile(path, content)
  return scanLogs({ files: [{ path, name: 'n1.log' }], rules: {}, faults: [], ...given })
}

const counting = ({ matches }: Awaited<ReturnType<typeof scanned>>) =>
  matches.filter(({ ignored }) => ignored === null).map(({ pattern, line }) => [pattern, line])

test.each(alarming)('%s: %s', async (kind, line) => {
  const scan = await scanned(`${ordinary.join('\n')}\n${line}\nready\n`)
  expect(scan.matches).toMatchObject([{ pattern: kind, file: 'n1.log', line: ordinary.length + 1, count: 1 }])
  expect(scan).toMatchObject({ files: 1, lines: ordinary.length + line.split('\n').length + 1, unread: [] })
})

test('every kind of alarm has a line here', () => {
  const kinds = new Set(alarming.map(([kind]) => kind))
  expect(commonAlarms.map(({ name }) => name).filter((name) => !kinds.has(name))).toEqual([])
})

test.each(ordinary)('no alarm: %s', async (line) => {
  expect(counting(await scanned(`ready\n${line}\nready\n`))).toEqual([])
})

test('a line counts once, and a message of several lines too', async () => {
  const stack = [
    'java.lang.IllegalStateException: cannot apply',
    '\tat org.example.Raft.apply(Raft.java:99)',
    'Caused by: java.lang.IndexOutOfBoundsException: 7',
    '\tat org.example.Log.get(Log.java:12)',
    '\t... 3 more',
  ].join('\n')
  const { matches, lines } = await scanned(`ready\n${stack}\n${stack}\nready`)
  expect(matches).toMatchObject([
    { line: 2, count: 2, text: 'java.lang.IllegalStateException: cannot apply' },
  ])
  expect(lines).toBe(12)
})

describe('what faults explain', () => {
  const refused =
    'Error: connect ECONNREFUSED 127.0.0.1:7000\n    at TCPConnectWrap.afterConnect (node:net:1555:16)\n'
  const python =
    'Traceback (most recent call last):\n  File "peer.py", line 3, in send\nConnectionResetError: [Errno 104] Connection reset by peer\n'
  const caused =
    'java.lang.RuntimeException: append failed\n\tat a.B.c(B.java:1)\nCaused by: java.net.ConnectException: Connection refused\n\tat a.C.d(C.java:2)\n'

  test.each([refused, python, caused])(
    'a lost connection is explained by a fault and by nothing else: %s',
    async (text) => {
      expect(counting(await scanned(text))).toHaveLength(1)
      const { matches } = await scanned(text, { faults: ['kill'] })
      expect(matches).toMatchObject([{ ignored: expect.stringContaining('lost connection') }])
    },
  )

  test('a program that dies of a lost connection counts all the same', async () => {
    expect(counting(await scanned(`${refused}\nNode.js v20.20.2\n`, { faults: ['kill'] }))).toEqual([
      ['uncaught exception', 4],
    ])
  })

  test.each([
    ['disk-full', 'PANIC:  could not write to file "pg_wal/xlogtemp.1": No space left on device'],
    ['fsync-failure', 'PANIC:  could not fsync file "pg_wal/1": Input/output error'],
    ['bit-flip', 'WARNING:  page verification failed, calculated checksum 3482 but expected 9481'],
  ])('%s explains what it does', async (fault, line) => {
    expect(counting(await scanned(line, { faults: ['kill'] }))).toHaveLength(1)
    expect(counting(await scanned(line, { faults: ['kill', fault] }))).toEqual([])
  })
})

describe('rules of the system', () => {
  test('further patterns count, and what is ignored is told with its reason', async () => {
    const rules: LogRules = {
      alarming: [/lost quorum/gi, /^E\d+ /],
      ignored: [{ pattern: /panic: drill/g, because: 'the drill of the start' }],
    }
    const { matches } = await scanned(
      'panic: drill\nLost Quorum\nE12 x\nlost quorum\nxE12 x\npanic: drill\n',
      { rules },
    )
    expect(matches).toMatchObject([
      { pattern: 'Go panic', line: 1, count: 2, ignored: 'the drill of the start' },
      { pattern: '/lost quorum/gi', line: 2, count: 2, ignored: null },
      { pattern: String(/^E\d+ /), line: 3, count: 1, ignored: null },
    ])
  })
})

describe('logs of all kinds', () => {
  test('missing and binary logs are said', async () => {
    const directory = await temporaryDirectory()
    await writeFile(join(directory, 'b.log'), Buffer.from([80, 0, 75, 3, 4]))
    await mkdir(join(directory, 'c.log'))
    const files = ['a.log', 'b.log', 'c.log'].map((name) => ({ name, path: join(directory, name) }))
    const { unread, files: read } = await scanLogs({ files, rules: {}, faults: [] })
    expect(read).toBe(0)
    expect(unread).toEqual([
      'a.log: it does not exist',
      'b.log: it looks binary',
      expect.stringMatching(/^c\.log: EISDIR/),
    ])
  })

  test('an empty log has no lines', async () => {
    expect(await scanned('')).toEqual({ files: 1, lines: 0, matches: [], unread: [] })
  })

  test('what is beyond ASCII, and a line without an end, are read right', async () => {
    const { matches, lines } = await scanned('größer → ok\nпаника panic: Überlauf', {})
    expect(matches).toMatchObject([{ line: 2, text: 'паника panic: Überlauf' }])
    expect(lines).toBe(2)
  })

  test('every alarm of a long log is found, wherever its chunk ends', async () => {
    const stack = 'TypeError: x\n    at a (b.js:1:2)\n    at c (d.js:3:4)'
    const blocks = Array.from(
      { length: 6_000 },
      (_, index) => `${'ö'.repeat((index * 37) % 500)}\nok ${index}\n${stack}`,
    )
    const { matches, lines } = await scanned(`${blocks.join('\n')}\n`, {
      rules: { alarming: [/^ok 5\d\d\d$/] },
    })
    expect(lines).toBe(6_000 * 5)
    expect(matches).toMatchObject([
      { pattern: 'exception with its stack', line: 3, count: 6_000 },
      { pattern: String(/^ok 5\d\d\d$/), line: 25_002, count: 1_000 },
    ])
  })

  test('a line of many megabytes ends the search of nothing', async () => {
    const { matches } = await scanned(`${'x'.repeat(9_000_000)}\npanic: late\n`)
    expect(matches).toMatchObject([{ line: 2, pattern: 'Go panic' }])
  })

  test('100 MB take little time and less memory', { timeout: 60_000 }, async () => {
    const path = join(await temporaryDirectory(), 'n1.log')
    const text = `${ordinary.join('\n')}\n`
    await writeFile(path, text.repeat(Math.ceil(100e6 / text.length)))
    const [cpu, memory] = [process.cpuUsage(), process.memoryUsage().rss]
    const { lines } = await scanLogs({ files: [{ path, name: 'n1.log' }], rules: {}, faults: [] })
    const { user, system } = process.cpuUsage(cpu)
    expect(lines).toBeGreaterThan(500_000)
    // Three times what it takes; the time of the processor, for other tests run beside this one.
    expect((user + system) / 1e6).toBeLessThan(8)
    expect(process.memoryUsage().rss - memory).toBeLessThan(80e6)
  })
})

describe('real crashes', () => {
  test('a Node program that throws', async () => {
    const { stderr } = await execa(process.execPath, ['-e', 'throw new Error("no leader")'], {
      reject: false,
    })
    // The error, which nobody caught, and what Node says last.
    expect(counting(await scanned(stderr)).map(([kind]) => kind)).toContain('uncaught exception')
  })

  test('a Node program that ends well', async () => {
    const { stdout } = await execa(process.execPath, ['-e', 'console.log(process.versions.node)'])
    expect(counting(await scanned(stdout))).toEqual([])
  })
})

/** What a program writes until it is ended by the signal, once it has said that it serves. */
async function logOf(command: readonly [string, ...string[]], serves: RegExp, signal: NodeJS.Signals) {
  const [file, ...args] = command
  const child = execa(file, args, { all: true, reject: false, timeout: 30_000 })
  let said = ''
  child.all.on('data', (text: Buffer) => {
    said += String(text)
    if (serves.test(said)) child.kill(signal)
  })
  const { all } = await child
  expect(all).toMatch(serves)
  return all
}

requires('redis')('the log of redis-server', () => {
  const redis = async (): Promise<[string, ...string[]]> => {
    const directory = await temporaryDirectory()
    return ['redis-server', '--port', '0', '--unixsocket', join(directory, 's'), '--dir', directory]
  }

  test.each(['SIGTERM', 'SIGKILL'] as const)('of a life that %s ends has no alarm', async (signal) => {
    const log = await logOf(await redis(), /ready to accept connections/, signal)
    expect(counting(await scanned(log))).toEqual([])
  })

  test('of a crash has one', async () => {
    const log = await logOf(await redis(), /ready to accept connections/, 'SIGSEGV')
    expect(counting(await scanned(log)).map(([kind]) => kind)).toEqual(['crash'])
  })
})

requires('etcd')('the log of etcd', () => {
  const url = (port: number) => `http://127.0.0.1:${port}`

  test.each(['SIGTERM', 'SIGKILL', 'SIGQUIT'] as const)('of a life that %s ends', async (signal) => {
    const command: [string, ...string[]] = ['etcd', '--data-dir', await temporaryDirectory()]
    command.push('--listen-client-urls', url(29_379), '--advertise-client-urls', url(29_379))
    command.push('--listen-peer-urls', url(29_380))
    const log = await logOf(command, /ready to serve client requests/, signal)
    // SIGQUIT makes a Go program show its stacks; it is no panic, and nobody but a user sends it.
    expect(counting(await scanned(log))).toEqual([])
  })

  test('of a member whose port is taken has an alarm', async () => {
    const command: [string, ...string[]] = ['etcd', '--data-dir', await temporaryDirectory()]
    command.push('--listen-client-urls', 'http://192.0.2.1:1', '--advertise-client-urls', url(29_379))
    const { all } = await execa(command[0], command.slice(1), { all: true, reject: false, timeout: 20_000 })
    expect(counting(await scanned(all ?? '')).map(([kind]) => kind)).toEqual(['fatal'])
  })
})

requires('python')('a Python program', () => {
  test('that nobody catches an exception of', async () => {
    const { stderr } = await execa('python3', ['-c', 'def f():\n  return 1 / 0\nf()'], { reject: false })
    expect(counting(await scanned(stderr))).toEqual([['Python traceback', 1]])
  })
})

requires('cc')('a C program', () => {
  test.each([
    ['an assertion', 'assert(1 == 2);', 'assertion'],
    ['an abort of the allocator', 'void *p = malloc(8); free(p); free(p);', 'crash'],
  ])('with %s', async (_, body, kind) => {
    const directory = await temporaryDirectory()
    const source = `#include <assert.h>\n#include <stdlib.h>\nint main(void) { ${body} return 0; }\n`
    await writeFile(join(directory, 'a.c'), source)
    await execa('cc', ['-w', '-O0', '-o', join(directory, 'a'), join(directory, 'a.c')])
    const { stderr } = await execa(join(directory, 'a'), { reject: false })
    expect(counting(await scanned(stderr))).toEqual([[kind, 1]])
  })
})
