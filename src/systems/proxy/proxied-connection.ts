import type { Socket } from 'node:net'
import { Flow } from './flow.js'
import type { Belonging } from './link-rule.js'
import type { Route } from './route.js'

/**
 * One connection through the proxy: the half that `from` opened, and the onward half to the node's real port.
 *
 * The kernel has accepted the first half before any rule can be asked. So an attempt that a rule drops stays open in
 * silence, without an onward half until the heal, and one that a rule rejects is reset at once.
 */
export class ProxiedConnection {
  /** When the oldest request without an answer came in (`performance.now()`), null when there is none. */
  waitingSince: number | null = null
  readonly #route: Route
  readonly #request: Belonging = { half: 'request', openedAt: performance.now() }
  readonly #answer: Belonging = { ...this.#request, half: 'answer' }
  readonly #client: Socket
  readonly #dial: () => Socket
  readonly #up: Flow
  #down: Flow | null = null
  #onward: Socket | null = null
  #established = false
  #closedBy: string | null = null
  #callOffDial: () => void = () => {}

  constructor(route: Route, client: Socket, dial: () => Socket) {
    this.#route = route
    this.#client = client
    this.#dial = dial
    this.#up = new Flow(client, route.forward, this.#request, {
      onChunk: () => {
        this.waitingSince ??= performance.now()
      },
      onDelivered: () => {},
      onSourceClosed: () => this.#clientClosed(),
      onRejected: () => this.reset(),
    })
    route.opened += 1
    client.on('close', () => this.#release())
    const { delayMs } = route.forward.meet(this.#request, 0)
    if (route.forward.rejecting(this.#request)) this.reset()
    else if (delayMs === 0) this.#connect()
    else this.#connectAfter(delayMs)
  }

  /** Breaks both halves with a reset. */
  reset(): void {
    this.#callOffDial()
    this.#client.resetAndDestroy()
    // A reset of a half that is still being opened would wait for it to open first.
    if (this.#onward?.connecting) this.#onward.destroy()
    else this.#onward?.resetAndDestroy()
  }

  /** Closes both halves without ado. */
  destroy(): void {
    this.#callOffDial()
    this.#client.destroy()
    this.#onward?.destroy()
  }

  #connectAfter(delayMs: number): void {
    const timer = setTimeout(() => this.#connect(), delayMs)
    this.#callOffDial = () => clearTimeout(timer)
  }

  #connect(): void {
    if (this.#client.destroyed) return
    if (this.#route.forward.dropping(this.#request)) {
      this.#callOffDial = this.#route.forward.onRelief(() => this.#connect())
      return
    }
    const onward = this.#dial()
    this.#onward = onward
    this.#down = new Flow(onward, this.#route.backward, this.#answer, {
      onChunk: () => {},
      onDelivered: () => this.#answered(),
      onSourceClosed: () => this.#onwardClosed(),
      onRejected: () => this.reset(),
    })
    this.#down.connect(this.#client)
    onward.once('connect', () => {
      this.#established = true
      this.#up.connect(onward)
    })
    onward.on('close', () => this.#release())
  }

  #answered(): void {
    if (this.waitingSince === null) return
    this.#route.roundTrips.add(performance.now() - this.waitingSince)
    this.waitingSince = null
  }

  #clientClosed(): void {
    this.#noteClosedBy(this.#route.from)
    // Nothing of an attempt that never got through may reach the node later: its client has stopped waiting.
    if (this.#onward === null && this.#route.forward.dropping(this.#request)) this.destroy()
    else if (this.#client.destroyed) this.#down?.discard()
  }

  #onwardClosed(): void {
    // A node that refuses the onward half has ended; that is no effect of a rule.
    if (this.#established) this.#noteClosedBy(this.#route.to)
    if (this.#onward?.destroyed) this.#up.discard()
  }

  #noteClosedBy(node: string): void {
    const { forward, backward } = this.#route
    // The second end to close only answers the first.
    const kept = forward.dropping(this.#request) || backward.dropping(this.#answer)
    if (this.#closedBy === null && kept) this.#route.noteGivenUp(node)
    this.#closedBy ??= node
  }

  #release(): void {
    if (!this.#client.destroyed || this.#onward?.destroyed === false) return
    this.#callOffDial()
    this.#up.close()
    this.#down?.close()
    this.#route.connections.delete(this)
  }
}
