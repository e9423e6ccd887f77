import { once } from 'node:events'
import net from 'node:net'
import { expect, test } from 'vitest'
import { startClock } from '../../src/history/clock.js'
import { outcomeOf, type Operation } from '../../src/history/operation.js'
import { Recorder } from '../../src/history/recorder.js'
import { Random } from '../../src/random/random.js'
import { drive } from '../../src/workload/drive.js'
import { workload } from '../../src/workload/index.js'
import { temporaryDirectory } from '../history/temporary.js'

const temporary = temporaryDirectory()

/** A server that sends back what it gets, and can be taken away with all its connections. */
class EchoServer {
  readonly #sockets = new Set<net.Socket>()
  #server: net.Server | null = null
  port = 0

  async start(): Promise<void> {
    this.#server = net.createServer((socket) => {
      this.#sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.pipe(socket)
    })
    this.#server.listen(this.port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.port = (this.#server.address() as net.AddressInfo).port
  }

  stop(): void {
    this.#server?.close()
    for (const socket of this.#sockets) socket.resetAndDestroy()
    this.#sockets.clear()
  }
}

async function connect(port: number): Promise<net.Socket> {
  const socket = net.connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect', { signal: AbortSignal.timeout(5_000) })
  // `once` below reports errors to the operation that meets them; between operations there is nobody to tell.
  socket.on('error', () => undefined)
  return socket
}

async function echo(socket: net.Socket, value: unknown): Promise<unknown> {
  if (socket.destroyed) throw new Error('the connection is closed')
  const done = new AbortController()
  const closed = once(socket, 'close', done).then(() => Promise.reject(new Error('the connection was lost')))
  try {
    socket.write(JSON.stringify(value))
    const [answer] = await Promise.race([once(socket, 'data', done), closed])
    return JSON.parse(String(answer))
  } finally {
    done.abort()
  }
}

test('clients live through a server that goes away and comes back', async () => {
  const server = new EchoServer()
  await server.start()
  const clock = startClock()
  const recorder = new Recorder({ file: temporary.fresh(), clock })
  const outage = (async () => {
    await waitUntil(() => recorder.count() > 50)
    const from = clock.now()
    server.stop()
    await waitUntil(() => recorder.activity('n1', from).failed >= 8)
    await server.start()
    return { from, to: clock.now() }
  })()
  const { load } = await drive<net.Socket, { name: string }>({
    workload: workload<net.Socket>({
      clients: 4,
      think: 1,
      operations: { write: { run: ({ client, value }) => echo(client, value) } },
    }),
    nodes: [{ name: 'n1' }],
    connect: () => connect(server.port),
    close: (socket) => void socket.destroy(),
    recorder,
    clock,
    random: new Random(1),
    durationMs: 5_000,
    signal: new AbortController().signal,
  })
  recorder.close()
  server.stop()
  const { from, to } = await outage
  const operations = recorder.operations()
  const during = operations.filter((it) => it.invoke_ts > from && it.invoke_ts < to)

  expect(load.unknown).toBeLessThanOrEqual(8)
  expect(
    during
      .filter((it) => outcomeOf(it) === 'failed')
      .every((it) => it.error?.startsWith('could not connect')),
  ).toBe(true)
  expect(load.failed).toBeGreaterThanOrEqual(8)
  // Four clients that rest for 100 ms after each refusal: a dead server does not fill the history.
  expect(load.failed).toBeLessThanOrEqual(4 * ((to - from) / 1e8 + 2))
  expect(operations.filter((it) => it.invoke_ts > to && outcomeOf(it) === 'ok').length).toBeGreaterThan(10)
  for (const it of operations) if (outcomeOf(it) === 'ok') expect(it.output).toBe(it.input)
  expect(reusedAfterUnknown(operations)).toEqual([])
})

/** Processes that go on after an operation of unknown outcome. */
function reusedAfterUnknown(operations: readonly Operation[]): unknown[] {
  const retired = new Set<unknown>()
  return operations.flatMap((it) => {
    const reused = retired.has(it.process_id) ? [it.process_id] : []
    if (outcomeOf(it) === 'unknown') retired.add(it.process_id)
    return reused
  })
}

async function waitUntil(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!condition()) {
    if (performance.now() > deadline) expect.fail('the awaited event did not come')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
