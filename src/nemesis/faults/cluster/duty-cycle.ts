import { messageOf } from '../../../errors.js'
import { sleep } from '../../../time/sleep.js'
import type { FaultContext } from '../../fault.js'

export interface DutyCycleOptions {
  readonly pausedMs: number
  readonly runningMs: number
}

/**
 * Pauses a node and resumes it again and again, so that it gets a share of its time only. Every pause is journalled by
 * the lifecycle that makes it, so that a run that dies leaves nothing paused.
 */
export class DutyCycle {
  readonly #context: FaultContext
  readonly #node: string
  readonly #options: DutyCycleOptions
  readonly #stop = new AbortController()
  readonly #loop: Promise<void>
  readonly #began: number
  /** Pauses that the engine or the kernel reported. */
  pauses = 0
  #pausedNs = 0
  /** Why it ended by itself; null while it goes on. */
  trouble: string | null = null

  constructor(context: FaultContext, node: string, options: DutyCycleOptions) {
    this.#context = context
    this.#node = node
    this.#options = options
    this.#began = context.clock.now()
    this.#loop = this.#run()
  }

  /** Share of its time that the node has been paused so far, in per cent. */
  get pausedShare(): number {
    const passed = Math.max(this.#context.clock.now() - this.#began, 1)
    return Math.round((100 * this.#pausedNs) / passed)
  }

  /** Ends it; the node runs when this resolves, unless somebody else ended it. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#loop
    const { lifecycle } = this.#context
    if ((await lifecycle.state(this.#node)).status === 'paused') await lifecycle.resume(this.#node)
  }

  async #run(): Promise<void> {
    const { clock, lifecycle } = this.#context
    const { signal } = this.#stop
    try {
      while (!signal.aborted) {
        await lifecycle.pause(this.#node)
        const from = clock.now()
        if ((await lifecycle.state(this.#node)).status === 'paused') this.pauses += 1
        await sleep(this.#options.pausedMs, signal)
        await lifecycle.resume(this.#node)
        this.#pausedNs += clock.now() - from
        await sleep(this.#options.runningMs, signal)
        const { status } = await lifecycle.state(this.#node)
        if (status === 'exited') throw new Error(`${this.#node} has ended`)
      }
    } catch (error) {
      this.trouble = messageOf(error)
    }
  }
}
