import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { NetworkRule } from '../../../src/systems/capabilities.js'
import { startFaultProxy, type FaultProxy } from '../../../src/systems/proxy/fault-proxy.js'
import { OwnPorts } from '../../../src/systems/proxy/own-ports.js'

const there = { from: 'clients', to: 'n1' }
const back = { from: 'n1', to: 'clients' }

interface Line {
  readonly proxy: FaultProxy
  readonly server: Server
  connect(): Socket
  close(): Promise<void>
}

/** A proxy in front of a server of this process. */
async function line(onConnection: (socket: Socket) => unknown): Promise<Line> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {})
    onConnection(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const real = (server.address() as AddressInfo).port
  const proxy = await startFaultProxy({
    nodes: [{ name: 'n1', ports: new Map([[1, real]]) }],
    clients: true,
    peers: false,
    realPorts: new Map([[real, 'n1']]),
    own: new OwnPorts(),
    parties: async () => [],
  })
  return {
    proxy,
    server,
    connect: () => connect({ ...proxy.addressFor('clients', 'n1', 1), allowHalfOpen: true } as never),
    async close() {
      await proxy.close()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

async function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'end')
  return Buffer.concat(chunks)
}

/** Takes a rule away and says how often it was met. */
async function heal(rule: NetworkRule | undefined): Promise<number> {
  await rule?.remove()
  return (await rule?.counters())?.[0]?.met ?? 0
}

type Step =
  | { readonly do: 'send'; readonly bytes: number }
  | { readonly do: 'drop' | 'delay'; readonly way: 'there' | 'back'; readonly ms: number }
  | { readonly do: 'heal' }
  | { readonly do: 'wait'; readonly ms: number }

const way = fc.constantFrom('there' as const, 'back' as const)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('send' as const), bytes: fc.integer({ min: 1, max: 100_000 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('drop' as const, 'delay' as const),
      way,
      ms: fc.integer({ min: 0, max: 8 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('heal' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 4 }) }),
  },
)

test('bytes come out complete and in order, whatever the chunks, delays and blocks', async () => {
  const { proxy, connect: open, close } = await line((socket) => socket.pipe(socket))
  onTestFinished(close)
  let met = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), async (steps) => {
      const rules: NetworkRule[] = []
      const socket = open()
      const echoed = readAll(socket)
      const sent: Buffer[] = []
      for (const one of steps) {
        if (one.do === 'send') {
          const bytes = randomBytes(one.bytes)
          sent.push(bytes)
          socket.write(bytes)
        } else if (one.do === 'wait') await sleep(one.ms)
        else if (one.do === 'heal') met += await heal(rules.shift())
        else {
          const links = [one.way === 'there' ? there : back]
          rules.push(
            one.do === 'drop'
              ? await proxy.network.block(links, 'drop')
              : await proxy.network.delay(links, one.ms, one.ms / 2),
          )
        }
      }
      for (const rule of rules) met += await heal(rule)
      socket.end()
      expect((await echoed).equals(Buffer.concat(sent))).toBe(true)
    }),
    { numRuns: 60 },
  )
  expect(met).toBeGreaterThan(100)
})

test('a half-closed connection still carries the answer', async () => {
  const { connect: open, close } = await line(async (socket) => {
    const request = await readAll(socket)
    socket.end(createHash('sha256').update(request).digest('hex'))
  })
  onTestFinished(close)
  const request = randomBytes(3_000_000)
  const socket = open()
  socket.end(request)
  expect(String(await readAll(socket))).toBe(createHash('sha256').update(request).digest('hex'))
})

test('a slow receiver and a dropped link slow the sender down instead of filling the memory', async () => {
  const { proxy, connect: open, close } = await line((socket) => socket.pipe(socket))
  onTestFinished(close)
  const rule = await proxy.network.block([back], 'drop')
  const socket = open()
  const size = 64 * 1_048_576
  let echoed = 0
  socket.on('data', (chunk: Buffer) => (echoed += chunk.length))
  for (let sent = 0; sent < size; sent += 1_048_576) socket.write(Buffer.alloc(1_048_576))
  // Steady: the proxy holds what it may, the kernel's buffers are full, and the rest has stayed with the sender.
  let last = -1
  await vi.waitFor(
    () => {
      const before = last
      last = socket.writableLength
      if (last !== before || last === size) throw new Error('still moving')
    },
    { timeout: 60_000, interval: 300 },
  )
  expect(socket.writableLength).toBeGreaterThan(size / 4)
  expect(echoed).toBe(0)
  await rule.remove()
  await vi.waitFor(() => expect(echoed).toBe(size), 60_000)
})

test('a connection broken by one end is broken for the other, after the heal when it was cut', async () => {
  const accepted: Socket[] = []
  const { proxy, connect: open, close } = await line((socket) => accepted.push(socket.resume()))
  onTestFinished(close)
  const ended = async (socket: Socket): Promise<string> => {
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException]
    return error.code ?? ''
  }
  const first = open()
  await expect.poll(() => accepted).toHaveLength(1)
  const firstEnded = ended(first)
  accepted[0]?.resetAndDestroy()
  expect(await firstEnded).toBe('ECONNRESET')

  const second = open()
  await expect.poll(() => accepted).toHaveLength(2)
  const rule = await proxy.network.block([there], 'drop')
  const server = accepted[1] as Socket
  let broken = false
  server.on('error', () => (broken = true))
  second.resetAndDestroy()
  await expect
    .poll(() => rule.victims())
    .toContainEqual(
      expect.objectContaining({ node: 'clients', value: 1, signal: expect.stringContaining('given up') }),
    )
  server.write('still there?')
  await setImmediate()
  expect(broken).toBe(false)
  await rule.remove()
  await expect.poll(() => broken).toBe(true)
})

test('closing ends connections in every state', async () => {
  const { proxy, connect: open, close, server } = await line((socket) => socket.pipe(socket))
  const established = open()
  established.write('x')
  await once(established, 'data')
  await proxy.network.delay([back], 60_000, 0)
  established.write('delayed')
  const rule = await proxy.network.block([there], 'drop')
  const waiting = open()
  waiting.write('held')
  await expect.poll(async () => (await rule.counters())[0]?.met).toBeGreaterThanOrEqual(2)
  const sockets = [established, waiting]
  const closed = sockets.map((socket) => once(socket.on('error', () => {}).resume(), 'close'))
  for (const socket of sockets) socket.on('end', () => socket.end())
  await close()
  await Promise.all(closed)
  expect(server.listening).toBe(false)
  expect(await rule.present()).toBe(false)
})

test('traffic is counted for each link, and connections for the end that opened them', async () => {
  const { proxy, connect: open, close } = await line((socket) => socket.pipe(socket))
  onTestFinished(close)
  const socket = open()
  socket.write('12345')
  await once(socket, 'data')
  expect(proxy.traffic()).toEqual([
    { link: there, connections: 1, chunks: 1, bytes: 5, untouched: 1 },
    { link: back, connections: 0, chunks: 1, bytes: 5, untouched: 1 },
  ])
})
