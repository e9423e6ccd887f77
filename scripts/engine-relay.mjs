import { connect, createServer } from 'node:net'

/** The engine of this machine, as one that is known by a TCP address only: `host` is that address. */
export async function startEngineRelay() {
  const sockets = new Set()
  // The end of a program's input must not end its output.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const engine = connect({ path: '/var/run/docker.sock', allowHalfOpen: true })
    for (const [one, other] of [
      [client, engine],
      [engine, client],
    ]) {
      sockets.add(one)
      one.on('close', () => sockets.delete(one) && other.destroy())
      one.on('error', () => other.destroy())
      one.pipe(other)
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    host: `tcp://127.0.0.1:${server.address().port}`,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
