import { connect } from 'node:net'
import type { Address } from '../system.js'
import type { OwnPorts } from './own-ports.js'

export type Dialled = 'answers' | 'refused' | 'silent'

/**
 * Connects to an address and closes again.
 *
 * `answers` only says that the kernel accepted: it does so for a paused process too, until its backlog is full.
 */
export async function dial(
  { host, port }: Pick<Address, 'host' | 'port'>,
  timeoutMs: number,
  own: OwnPorts,
): Promise<Dialled> {
  const socket = connect({ host, port })
  const result = await new Promise<Dialled>((resolve) => {
    const timer = setTimeout(() => resolve('silent'), timeoutMs)
    const end = (dialled: Dialled): void => {
      clearTimeout(timer)
      resolve(dialled)
    }
    socket.once('connect', () => {
      own.add(socket)
      end('answers')
    })
    // Also after the answer is in: an error on a socket that we are done with changes nothing.
    socket.on('error', () => end('refused'))
  })
  socket.destroy()
  return result
}
