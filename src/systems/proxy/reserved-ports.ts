import { randomInt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { SystemError } from '../../errors.js'

/** Ports that no other system of this machine is handed until they are released. */
export interface ReservedPorts {
  readonly ports: readonly number[]
  release(): Promise<void>
}

/*
 * A node must find its port free when it restarts, so nothing may listen on it in the meantime, not even we.
 * Two measures keep it free. It is taken from below the ranges from which kernels choose ports by themselves
 * (Linux from 32768, macOS from 49152), so no outgoing connection lands on it by chance; a connection to a dead
 * node's port could otherwise even connect to itself. And a UDP socket on a port that belongs to it stands for
 * the reservation: every run on this machine respects it, and the kernel drops it when the run dies.
 */
const lowest = 20_000
const highest = 32_767
const guardOffset = 32_768
const attemptsMax = 2_000

/** Reserves `count` TCP ports on which nothing listens now. Throws SystemError when the machine has none left. */
export async function reservePorts(count: number): Promise<ReservedPorts> {
  const guards = new Map<number, Socket>()
  const release = async (): Promise<void> => {
    const closing = [...guards.values()].map(close)
    guards.clear()
    await Promise.all(closing)
  }
  let candidate = randomInt(lowest, highest + 1)
  for (let attempt = 0; guards.size < count; attempt++) {
    if (attempt === attemptsMax) {
      await release()
      throw new SystemError('ports', `found no ${count} free TCP ports between ${lowest} and ${highest}`, {
        hint: 'end what listens there; `ss -ltn` lists it',
      })
    }
    const guard = await bind(candidate + guardOffset)
    if (guard !== null && (await isFree(candidate))) guards.set(candidate, guard)
    else if (guard !== null) await close(guard)
    candidate = candidate === highest ? lowest : candidate + 1
  }
  return { ports: [...guards.keys()], release }
}

/** A bound UDP socket, or null when another one has the port. */
async function bind(port: number): Promise<Socket | null> {
  const socket = createSocket('udp4')
  try {
    socket.bind({ port, address: '127.0.0.1', exclusive: true })
    await once(socket, 'listening')
    socket.unref()
    return socket
  } catch {
    // In use, or not ours to bind: the caller tries the next one.
    return null
  }
}

async function close(socket: Socket): Promise<void> {
  const closed = once(socket, 'close')
  socket.close()
  await closed
}

/** True when one could listen on the port on every interface. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen({ port, exclusive: true })
    await once(server, 'listening')
  } catch {
    // In use: the caller tries the next one.
    return false
  }
  const closed = once(server, 'close')
  server.close()
  await closed
  return true
}
