import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { reservePorts } from '../../../src/systems/proxy/reserved-ports.js'

test('reserved ports are free to listen on, and nobody else is given them', async () => {
  const [one, other] = await Promise.all([reservePorts(40), reservePorts(40)])
  onTestFinished(async () => {
    await Promise.all([one.release(), other.release()])
  })
  expect(new Set([...one.ports, ...other.ports]).size).toBe(80)
  const server = createServer().listen(one.ports[0])
  await once(server, 'listening')
  server.close()
  // Below every range from which a kernel chooses by itself.
  expect(Math.max(...one.ports, ...other.ports)).toBeLessThan(32_768)
})

test('a port on which something listens is not given out', async () => {
  const first = await reservePorts(1)
  await first.release()
  const port = first.ports[0] as number
  const server = createServer().listen(port)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const rest = await reservePorts(200)
  await rest.release()
  expect(rest.ports).not.toContain(port)
  await first.release()
})
