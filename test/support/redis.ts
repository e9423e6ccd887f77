import { cp, mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { once } from 'node:events'
import { execa } from 'execa'
import { Redis } from 'ioredis'
import { onTestFinished } from 'vitest'
import { temporaryDirectory } from './temporary.js'

/** A redis-server of the running test's own. */
export interface RedisServer {
  readonly port: number
  readonly directory: string
  readonly client: Redis
  /** A further connection, closed when the test is over. */
  connect(): Promise<Redis>
  /** Ends the server by SIGKILL and resolves when it is gone. */
  kill(): Promise<void>
  /** Every string key with its value. */
  dump(): Promise<Record<string, string | null>>
}

/** Starts redis-server on a free port of the loopback; with `from` on a copy of that directory. Killed when the test is over. */
export async function startRedis(options: readonly string[] = [], from?: string): Promise<RedisServer> {
  const directory = join(await temporaryDirectory(), 'redis')
  await mkdir(directory)
  if (from !== undefined) await cp(from, directory, { recursive: true })
  const port = await freePort()
  const usual = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', '']
  const server = execa('redis-server', [...usual, ...options], { reject: false, stdin: 'ignore' })
  const kill = async () => {
    server.kill('SIGKILL')
    await server
  }
  onTestFinished(kill)
  const connect = async () => {
    const client = new Redis({
      port,
      host: '127.0.0.1',
      lazyConnect: true,
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
      enableOfflineQueue: false,
    })
    client.on('error', () => {})
    onTestFinished(() => client.disconnect())
    await client.connect()
    return client
  }
  const client = await untilServing(connect)
  const dump = async () => {
    const keys = (await client.keys('*')).toSorted()
    return Object.fromEntries(
      await Promise.all(keys.map(async (key) => [key, await client.get(key)] as const)),
    )
  }
  return { port, directory, client, connect, kill, dump }
}

async function untilServing(connect: () => Promise<Redis>): Promise<Redis> {
  for (const deadline = Date.now() + 20_000; ;) {
    try {
      const client = await connect()
      await client.ping()
      return client
    } catch (error) {
      if (Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
