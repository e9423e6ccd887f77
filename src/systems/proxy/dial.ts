import { connect } from 'node:net'
import type { OwnPorts } from './own-ports.js'

export type Dialled = 'answers' | 'refused' | 'silent'

/**
 * Connects to a port of this machine and closes again.
 *
 * `answers` only says that the kernel accepted: it does so for a paused process too, until its backlog is full.
 */
export async function dial(port: number, timeoutMs: number, own: OwnPorts): Promise<Dialled> {
  const socket = connect({ host: '127.0.0.1', port })
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
