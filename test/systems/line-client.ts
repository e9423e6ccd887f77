import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Address } from '../../src/systems/system.js'

/** A client of test/fixtures/systems/line-server.mjs: one connection, one line for one line. */
export class LineClient {
  readonly socket: Socket
  readonly #waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = []

  constructor(address: Address) {
    this.socket = connect({ host: address.host, port: address.port, noDelay: true })
    let problem = new Error('closed')
    this.socket.on('error', (error) => (problem = error))
    this.socket.on('close', () => {
      for (const { reject } of this.#waiting.splice(0)) reject(problem)
    })
    const lines = createInterface({ input: this.socket })
    // Readline passes errors of its input on; they have been noted above.
    lines.on('error', () => {})
    lines.on('line', (line) => this.#waiting.shift()?.resolve(line))
  }

  ask(line: string): Promise<string> {
    if (this.socket.destroyed) return Promise.reject(new Error('closed'))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.socket.write(`${line}\n`)
    })
  }

  close(): void {
    this.socket.destroy()
  }
}

/** The promise's value, or `late` when it has not settled by then. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
