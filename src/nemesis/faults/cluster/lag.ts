import { FaultError } from '../../../errors.js'
import { sleep } from '../../../time/sleep.js'
import type { Evidence } from '../../evidence.js'
import type { FaultContext } from '../../fault.js'
import type { NodeHook } from './hook.js'
import type { Hooks, Purpose } from './hooks.js'

/** Readings before the fault, and the time between them: lag is noisy, and its usual height must be known. */
const baselineReadings = 5
const baselineEveryMs = 50

/** How far nodes are behind, in whatever unit the hook has; the most before the fault, and the most since. */
export class Lag {
  readonly #context: FaultContext
  readonly #hooks: Hooks
  readonly #call: NodeHook<number>
  readonly #before = new Map<string, number>()
  readonly #most = new Map<string, number>()

  private constructor(context: FaultContext, hooks: Hooks, call: NodeHook<number>) {
    this.#context = context
    this.#hooks = hooks
    this.#call = call
  }

  static async before(
    context: FaultContext,
    { hooks, call, nodes }: { hooks: Hooks; call: NodeHook<number>; nodes: readonly string[] },
  ): Promise<Lag> {
    const lag = new Lag(context, hooks, call)
    for (let reading = 0; reading < baselineReadings; reading++) {
      if (reading > 0) await sleep(baselineEveryMs, context.signal)
      for (const node of nodes) {
        const now = await lag.#readOne(node, 'inject')
        lag.#before.set(node, Math.max(now, lag.#before.get(node) ?? now))
      }
    }
    return lag
  }

  /** The most that each node was behind since the fault, as a victim's reading. */
  async read(): Promise<readonly Evidence[]> {
    return this.#rows('lag, at most', async (node, before) => {
      const most = Math.max(await this.#readOne(node, 'inject'), this.#most.get(node) ?? before)
      this.#most.set(node, most)
      return most
    })
  }

  /** How far each node is behind now, after the heal; null for one that does not say. */
  async readHealed(): Promise<readonly Evidence[]> {
    // That it catches up is the system's matter, and so is whether it answers meanwhile: the fault is gone either way.
    return this.#rows('lag', (node) => this.#readOne(node, 'undo').catch(() => null))
  }

  /** The first node that was never further behind than before, in words; null when all were. */
  steady(): string | null {
    for (const [node, before] of this.#before) {
      const most = this.#most.get(node) ?? before
      if (most <= before) return `${node} was not further behind than before: lag at most ${before}`
    }
    return null
  }

  async #rows(
    signal: string,
    read: (node: string, before: number) => Promise<number | null>,
  ): Promise<readonly Evidence[]> {
    return Promise.all(
      [...this.#before].map(async ([node, before]): Promise<Evidence> => {
        const after = await read(node, before)
        return { side: 'victim', subject: node, signal, before, after, at: this.#context.clock.now() }
      }),
    )
  }

  async #readOne(node: string, purpose: Purpose): Promise<number> {
    const answer: unknown = await this.#hooks.onNode({ name: 'lag', call: this.#call }, node, purpose)
    if (typeof answer === 'number' && Number.isFinite(answer)) return answer
    throw new FaultError('hook', `slow-follower: lag() on ${node} answered ${String(answer)}`, {
      hint: 'return a number that grows with the distance to the leader',
    })
  }
}
