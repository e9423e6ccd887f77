import { once } from 'node:events'
import net from 'node:net'
import { expect, test } from 'vitest'
import { HarnessError } from '../../src/errors.js'
import { classifyDefault, classifyError } from '../../src/workload/classify.js'

/** A port of this machine on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function socketError(socket: net.Socket): Promise<unknown> {
  const [error] = await once(socket, 'error').catch((thrown: unknown) => [thrown])
  return error
}

test('a refused connection proves that nothing was sent: plain, over several addresses, and through fetch', async () => {
  const port = await closedPort()
  const plain = await socketError(net.connect({ port, host: '127.0.0.1' }))
  expect(plain).toMatchObject({ code: 'ECONNREFUSED', syscall: 'connect' })
  expect(classifyDefault(plain)).toBe('failed')
  expect(classifyDefault(new AggregateError([plain, plain]))).toBe('failed')
  const fetched = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(5_000) }).catch(
    (error) => error,
  )
  expect(classifyDefault(fetched)).toBe('failed')
})

test('a connection that is reset may have carried the operation', async () => {
  const server = net.createServer((socket) => socket.resetAndDestroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  const socket = net.connect({ port, host: '127.0.0.1' })
  socket.write('x')
  const reset = await socketError(socket)
  expect(reset).toMatchObject({ code: 'ECONNRESET' })
  expect(classifyDefault(reset)).toBe('unknown')
  const fetched = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(5_000) }).catch(
    (error) => error,
  )
  expect(fetched).toBeInstanceOf(TypeError)
  expect(classifyDefault(fetched)).toBe('unknown')
  server.close()
})

test('everything else is unknown', () => {
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' })
  const others = [
    new Error('timeout'),
    'a string',
    undefined,
    Object.assign(new Error('no syscall'), { code: 'ECONNREFUSED' }),
    Object.assign(new Error('read'), { code: 'ETIMEDOUT', syscall: 'read' }),
    new AggregateError([]),
    new AggregateError([refused, new Error('timeout')]),
    new Error('gave up after 3 retries', { cause: refused }),
  ]
  expect(others.map(classifyDefault)).toEqual(others.map(() => 'unknown'))
})

test('the answer of a classify of the user is checked', () => {
  expect(classifyError(() => 'failed', new Error('x'), 'read')).toBe('failed')
  expect(
    classifyError((_, { type }) => (type === 'read' ? 'failed' : 'unknown'), new Error('x'), 'write'),
  ).toBe('unknown')
  const wrong = () => classifyError((() => 'info') as never, new Error('boom'), 'write')
  expect(wrong).toThrow(HarnessError)
  expect(wrong).toThrow(
    `workload.classify for an error of "write" (boom) returned info; expected 'failed' or 'unknown'`,
  )
  const throwing = () => {
    throw new Error('oops')
  }
  expect(() => classifyError(throwing, new Error('boom'), 'write')).toThrow('threw: oops')
})
