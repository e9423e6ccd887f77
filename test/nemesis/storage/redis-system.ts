import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { onTestFinished } from 'vitest'
import { startClock } from '../../../src/history/clock.js'
import type { FaultContext, Nemesis, NodeActivity } from '../../../src/nemesis/fault.js'
import { inject, type ActiveFault } from '../../../src/nemesis/inject.js'
import { resolveTarget } from '../../../src/nemesis/resolve.js'
import { openJournal } from '../../../src/nemesis/undo/file-journal.js'
import { becomes } from '../../../src/time/wait.js'
import { Random } from '../../../src/random/random.js'
import type { Lifecycle, Network, Storage } from '../../../src/systems/capabilities.js'
import { docker, imageFromHost } from '../../../src/systems/docker/index.js'
import { processes } from '../../../src/systems/process/processes.js'
import type { DiskOption } from '../../../src/systems/storage/disk-option.js'
import type { NodeProvider } from '../../../src/systems/system.js'
import { absentOthers } from '../absent-others.js'
import { countingJournal } from '../counting-journal.js'

/** A redis-server with an append-only file, with a client that writes to it without end. */
export interface RedisSystem {
  readonly host: string
  readonly port: number
  readonly context: FaultContext
  readonly storage: Storage
  readonly lifecycle: Lifecycle
  /** Acknowledged writes: key and value are the same number. */
  readonly acked: ReadonlySet<number>
  /** What the last write that failed was told. */
  lastError(): string | null
  openEntries(): number
  /** Puts the fault in place; it is undone at the end of the test if it still is. */
  inject(nemesis: Nemesis, options?: { readonly landWithinMs: number }): Promise<ActiveFault>
  /** Writes are acknowledged again. */
  writing(): Promise<void>
  /** Acknowledged numbers that the server does not have. */
  lost(): Promise<readonly number[]>
  log(): Promise<string>
}

const options = (fsync: string) => [
  ...['--appendonly', 'yes', '--appendfsync', fsync, '--save', '', '--protected-mode', 'no'],
  ...['--auto-aof-rewrite-percentage', '0'],
]

export function redisProvider(
  kind: 'processes' | 'docker',
  { fsync, disk }: { fsync: 'everysec' | 'always'; disk?: DiskOption },
): NodeProvider {
  const onDisk = disk === undefined ? {} : { disk }
  if (kind === 'processes') {
    return processes({
      command: ({ listen, dataDir }) => [
        ...['redis-server', '--port', String(listen(6379)), '--dir', dataDir],
        ...options(fsync),
      ],
      count: 1,
      ports: [6379],
      ...onDisk,
    })
  }
  return docker({
    image: imageFromHost({ tag: 'nemesis-test-redis', binaries: ['redis-server'] }),
    command: ['redis-server', '--dir', '/data', ...options(fsync)],
    count: 1,
    ports: [6379],
    ...onDisk,
  })
}

/** Starts it; everything is stopped when the test is over. */
export async function startRedisSystem(provider: NodeProvider): Promise<RedisSystem> {
  const directory = await mkdtemp(join(tmpdir(), 'nemesis-test-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const runId = `storage-${process.pid}-${Math.random().toString(36).slice(2, 8)}`
  const file = await openJournal(runId, join(directory, 'undo'))
  onTestFinished(() => file.finish())
  const journal = countingJournal(file)
  const clock = startClock()
  const signal = new AbortController().signal
  const running = await provider.start({ runId, logsDir: join(directory, 'logs'), clock, journal, signal })
  onTestFinished(() => running.stop())
  const [node] = running.nodes
  if (node === undefined) throw new Error('no node')
  const { host, port } = node.address(6379)

  const writes: { readonly at: number; outcome: 'ok' | 'failed' | 'unknown' | null }[] = []
  const acked = new Set<number>()
  let lastError: string | null = null
  let over = false
  const connect = () => {
    const client = new Redis({
      host,
      port,
      maxRetriesPerRequest: 0,
      enableOfflineQueue: true,
      connectTimeout: 2_000,
      commandTimeout: 5_000,
      retryStrategy: () => 50,
    })
    client.on('error', () => {})
    return client
  }
  const client = connect()
  const loop = (async () => {
    for (let number = 0; !over; number += 1) {
      const write: (typeof writes)[number] = { at: clock.now(), outcome: null }
      writes.push(write)
      try {
        await client.set(String(number), String(number))
        write.outcome = 'ok'
        acked.add(number)
      } catch (error) {
        lastError = (error as Error).message
        write.outcome = lastError.startsWith('MISCONF') ? 'failed' : 'unknown'
      }
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  })()
  onTestFinished(async () => {
    over = true
    client.disconnect()
    await loop
  })
  const activity = (_: string, since: number): NodeActivity => {
    const seen = writes.filter(({ at }) => at >= since)
    const count = (outcome: string) => seen.filter((one) => one.outcome === outcome).length
    return {
      ok: count('ok'),
      failed: count('failed'),
      unknown: count('unknown'),
      oldestWaitMs: Math.max(
        0,
        ...seen.filter((one) => one.outcome === null).map(({ at }) => (clock.now() - at) / 1e6),
      ),
    }
  }
  const context: FaultContext = {
    ...absentOthers('redis'),
    clock,
    lifecycle: running.lifecycle as Lifecycle,
    network: (running.network ?? { links: [] }) as Network,
    storage: running.storage as Storage,
    nodes: [node.name],
    journal,
    activity,
    resolve: (target, apart = []) =>
      resolveTarget(target, { nodes: [node.name], roles: {}, random: new Random(5), apart }),
    signal,
  }
  const writing = async () => {
    const since = clock.now()
    const flows = () => activity('n1', since).ok >= 5
    if (!(await becomes(flows, { withinMs: 90_000 }))) throw new Error(`no write gets through: ${lastError}`)
  }
  await writing()
  return {
    host,
    port,
    context,
    storage: context.storage,
    lifecycle: context.lifecycle,
    acked,
    lastError: () => lastError,
    openEntries: journal.openEntries,
    log: () => readFile(join(directory, 'logs', 'n1.log'), 'utf8'),
    async inject(nemesis, { landWithinMs } = { landWithinMs: 20_000 }) {
      const fault = await inject({ ...nemesis, landWithinMs }, context, { id: 'F1' })
      onTestFinished(async () => void (await fault.heal()))
      return fault
    },
    writing,
    async lost() {
      const numbers = [...acked]
      const reader = connect()
      try {
        const values = await reader.mget(...numbers.map(String))
        return numbers.filter((number, index) => values[index] !== String(number))
      } finally {
        reader.disconnect()
      }
    },
  }
}
