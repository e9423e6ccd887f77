import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import { Redis } from 'ioredis'
import { expect, it, onTestFinished } from 'vitest'
import { boundedStaleness, readYourWrites, sessionConsistency } from '../../../src/checkers/index.js'
import { startClock } from '../../../src/history/clock.js'
import type { Operation } from '../../../src/history/operation.js'
import { Recorder } from '../../../src/history/recorder.js'
import { session } from '../../../src/models/session.js'
import { Random } from '../../../src/random/random.js'
import { drive } from '../../../src/workload/drive.js'
import { workload } from '../../../src/workload/index.js'
import { temporaryDirectory as freshFile } from '../../history/temporary.js'
import { requires } from '../../support/requirements.js'
import { temporaryDirectory } from '../../support/temporary.js'

const temporary = freshFile()
const executable = 'redis-server'

/** Sets the value and answers its version, at once. */
const writing = `
  local version = redis.call('HINCRBY', KEYS[1], 'version', 1)
  redis.call('HSET', KEYS[1], 'value', ARGV[1])
  return version`

interface Client {
  readonly writes: Redis
  readonly reads: Redis
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function startRedis(...extra: string[]): Promise<number> {
  const port = await freePort()
  const options = [
    '--port',
    `${port}`,
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--repl-diskless-sync-delay',
    '0',
  ]
  const server = spawn(executable, [...options, '--dir', await temporaryDirectory(), ...extra])
  const ended = once(server, 'exit')
  onTestFinished(async () => {
    server.kill('SIGKILL')
    await ended
  })
  await until(async () => {
    const redis = connect(port)
    try {
      return (await redis.ping()) === 'PONG'
    } finally {
      redis.disconnect()
    }
  })
  return port
}

function connect(port: number): Redis {
  const redis = new Redis({
    host: '127.0.0.1',
    port,
    connectTimeout: 1_000,
    commandTimeout: 2_000,
    retryStrategy: () => null,
  })
  // Each command reports the loss of its connection by itself.
  redis.on('error', () => {})
  return redis
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 20_000
  // An error means not yet: the server is about to listen.
  while (!(await condition().catch(() => false))) {
    if (performance.now() > deadline) expect.fail('the awaited event did not come')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Two clients that write to the primary and read where they are told, while the replica loses its primary. */
async function record(readFrom: 'primary' | 'replica'): Promise<readonly Operation[]> {
  const primary = await startRedis()
  const replica = await startRedis('--replicaof', '127.0.0.1', `${primary}`)
  const administration = connect(replica)
  onTestFinished(() => administration.disconnect())
  await until(async () => (await administration.info('replication')).includes('master_link_status:up'))

  const nowhere = await freePort()
  const clock = startClock()
  const recorder = new Recorder({ file: temporary.fresh(), clock })
  const cut = until(async () => recorder.count() > 40).then(() =>
    administration.replicaof('127.0.0.1', nowhere),
  )
  await drive<Client, { name: string }>({
    workload: workload<Client>({
      clients: 2,
      think: 2,
      keys: { count: 2 },
      operations: {
        write: {
          run: async ({ client, key, value }) => ({
            version: Number(await client.writes.eval(writing, 1, key, String(value))),
          }),
        },
        read: {
          run: async ({ client, key }) => {
            const [value, version] = await client.reads.hmget(key, 'value', 'version')
            return typeof value !== 'string' ? null : { value: Number(value), version: Number(version) }
          },
        },
      },
    }),
    nodes: [{ name: 'n1' }],
    connect: () => ({
      writes: connect(primary),
      reads: connect(readFrom === 'primary' ? primary : replica),
    }),
    close: ({ writes, reads }) => {
      writes.disconnect()
      reads.disconnect()
    },
    recorder,
    clock,
    random: new Random(1),
    durationMs: 1_500,
    signal: new AbortController().signal,
  })
  recorder.close()
  await cut
  return recorder.operations()
}

async function answers(operations: readonly Operation[]): Promise<unknown> {
  const checkers = [readYourWrites(), sessionConsistency(), boundedStaleness({ within: '100ms' })]
  const given = { operations, model: session(), collected: null, timeoutMs: 10_000 }
  const results = await Promise.all(checkers.map((checker) => checker.check(given)))
  return Object.fromEntries(results.map(({ checker, valid }) => [checker, valid]))
}

requires('redis')('a real primary and its replica', () => {
  it('reads of a replica that has lost its primary break what sessions are promised', async () => {
    expect(await answers(await record('replica'))).toEqual({
      'read-your-writes': false,
      'session-consistency': false,
      'bounded-staleness': false,
    })
  }, 60_000)

  it('reads of the primary keep it, whatever the replica does', async () => {
    expect(await answers(await record('primary'))).toEqual({
      'read-your-writes': true,
      'session-consistency': true,
      'bounded-staleness': true,
    })
  }, 60_000)
})
