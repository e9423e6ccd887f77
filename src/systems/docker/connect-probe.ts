import { connect } from 'node:net'

/**
 * Connects to a port and hangs up.
 *
 * `answers`: accepted. `refused`: reset or unreachable. `silent`: nothing came back within `timeoutMs`. With
 * `behindForwarder` an accepted connection must also stay open for a moment: the forwarder of a published port accepts
 * first, and hangs up when the container refuses.
 */
export function connectProbe(
  { host, port }: { host: string; port: number },
  { timeoutMs, behindForwarder }: { timeoutMs: number; behindForwarder: boolean },
): Promise<'answers' | 'refused' | 'silent'> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    let connected = false
    const settle = (answer: 'answers' | 'refused' | 'silent') => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    let timer = setTimeout(() => settle(connected ? 'answers' : 'silent'), timeoutMs)
    socket.on('connect', () => {
      connected = true
      if (!behindForwarder) return settle('answers')
      clearTimeout(timer)
      timer = setTimeout(() => settle('answers'), Math.min(timeoutMs, 200))
    })
    socket.on('error', () => settle('refused'))
    socket.on('end', () => settle('refused'))
    socket.resume()
  })
}
