import type { Socket } from 'node:net'

/** Calls `take` with every complete line that arrives; what is left when the socket closes is dropped. */
export function eachLine(socket: Socket, take: (line: string) => void): void {
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
}
