import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Clock } from '../../src/history/clock.js'
import type { NodeActivity } from '../../src/nemesis/fault.js'
import type { SystemNode } from '../../src/systems/system.js'

interface Exchange {
  readonly node: string
  readonly invoked: number
  outcome: 'ok' | 'failed' | 'unknown' | null
}

const timeoutMs = 600
const thinkMs = 10

/** One client a node that asks without end; what it sees is what a recorder would tell a fault. */
export class Traffic {
  readonly #exchanges: Exchange[] = []
  readonly #clock: Clock
  readonly #stop = new AbortController()
  readonly #loops: readonly Promise<void>[]

  constructor(nodes: readonly SystemNode[], clock: Clock) {
    this.#clock = clock
    this.#loops = nodes.map((node) => this.#loop(node))
  }

  activity(node: string, since: number): NodeActivity {
    const seen = this.#exchanges.filter((one) => one.node === node && one.invoked >= since)
    const count = (outcome: Exchange['outcome']) => seen.filter((one) => one.outcome === outcome).length
    const waiting = seen
      .filter((one) => one.outcome === null)
      .map((one) => (this.#clock.now() - one.invoked) / 1e6)
    return {
      ok: count('ok'),
      failed: count('failed'),
      unknown: count('unknown'),
      oldestWaitMs: Math.max(0, ...waiting),
    }
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#loops)
  }

  async #loop(node: SystemNode): Promise<void> {
    let socket: Socket | null = null
    while (!this.#stop.signal.aborted) {
      const { host, port } = node.address(7000)
      socket = socket === null || socket.destroyed ? connect({ host, port }) : socket
      const exchange: Exchange = { node: node.name, invoked: this.#clock.now(), outcome: null }
      this.#exchanges.push(exchange)
      exchange.outcome = await ask(socket)
      // The connection of an unanswered operation is given up, as its answer may still come.
      if (exchange.outcome !== 'ok') socket.destroy()
      await new Promise((resolve) => setTimeout(resolve, thinkMs))
    }
    if (socket !== null && !socket.destroyed) await hangUp(socket)
  }
}

/** Ends a connection and waits until the server has done so too: nothing of it may meet a rule that is put in place next. */
async function hangUp(socket: Socket): Promise<void> {
  const giveUp = setTimeout(() => socket.destroy(), 10_000)
  const closed = once(socket, 'close')
  socket.resume().end()
  await closed
  clearTimeout(giveUp)
}

function ask(socket: Socket): Promise<'ok' | 'failed' | 'unknown'> {
  return new Promise((resolve) => {
    const settle = (outcome: 'ok' | 'failed' | 'unknown') => {
      clearTimeout(timer)
      socket.removeAllListeners()
      socket.on('error', () => {})
      resolve(outcome)
    }
    const timer = setTimeout(() => settle('unknown'), timeoutMs)
    socket.once('data', (data) => settle(String(data).trim() === 'ok' ? 'ok' : 'failed'))
    socket.once('error', () => settle('failed'))
    socket.once('close', () => settle('failed'))
    socket.write('all\n')
  })
}
