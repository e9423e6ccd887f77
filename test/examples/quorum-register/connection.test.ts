import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { Connection } from '../../../examples/quorum-register/src/connection.js'
import { eachLine } from '../../../examples/quorum-register/src/lines.js'

const sockets: Socket[] = []
let server: Server | undefined

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server?.close()
})

async function serve(answer: (request: { id: number; key: string }, socket: Socket) => void) {
  server = createServer((socket) => {
    sockets.push(socket)
    eachLine(socket, (line) => answer(JSON.parse(line), socket))
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return new Connection({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
}

const read = (key: string) => ({ type: 'read', key }) as const

it('matches answers to requests, whatever their order', async () => {
  const held: number[] = []
  const connection = await serve(({ id, key }, socket) => {
    held.push(id)
    if (key === 'last') for (const each of held.reverse()) socket.write(`{"id":${each},"result":${each}}\n`)
  })
  const answers = [read('first'), read('last')].map((one) => connection.request(one, { timeoutMs: 5_000 }))
  expect(await Promise.all(answers)).toEqual([1, 2])
})

it('gives a connection up that does not answer, and sends the next request over a new one', async () => {
  const connection = await serve(({ id, key }, socket) => {
    if (key !== 'ignored') socket.write(`{"id":${id},"result":"served"}\n`)
  })
  await expect(connection.request(read('ignored'), { timeoutMs: 50 })).rejects.toMatchObject({
    code: 'no-answer',
  })
  expect(await connection.request(read('other'), { timeoutMs: 5_000 })).toBe('served')
  expect(sockets).toHaveLength(2)
})

it('does not send a request again when its connection is lost', async () => {
  let requests = 0
  const connection = await serve((_, socket) => {
    requests++
    socket.destroy()
  })
  await expect(connection.request(read('a'), { timeoutMs: 5_000 })).rejects.toMatchObject({
    code: 'connection-lost',
  })
  expect(requests).toBe(1)
})

it('says that it never sent what nobody listened for', async () => {
  const connection = await serve(() => {})
  await new Promise((resolve) => server?.close(resolve))
  await expect(connection.request(read('a'), { timeoutMs: 5_000 })).rejects.toMatchObject({
    code: 'unreachable',
  })
})

it('rejects with the reason of the signal', async () => {
  const connection = await serve(() => {})
  const controller = new AbortController()
  const asked = connection.request(read('a'), { timeoutMs: 5_000, signal: controller.signal })
  controller.abort(new Error('enough'))
  await expect(asked).rejects.toThrow('enough')
  expect(connection.pending).toBe(0)
})
