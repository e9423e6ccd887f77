import { FaultError, messageOf } from '../../../errors.js'
import { sleep } from '../../../time/sleep.js'
import type { Evidence } from '../../evidence.js'
import type { FaultContext } from '../../fault.js'
import type { NodeHook } from './hook.js'
import type { Hooks, Purpose } from './hooks.js'

/** Time between two readings. */
const readEveryMs = 25
/** Readings before the fault. */
const baselineReadings = 20
/** Readings whose median is held against the largest from before. */
const lastReadings = 7

/**
 * How far nodes are behind, in whatever unit the hook has.
 *
 * Lag is noisy, and whoever looks often enough finds a reading above any before. So the median of the last readings
 * must be above the largest of three times as many from before: without an effect that is so in 2 of 1,000 looks.
 */
export class Lag {
  readonly #context: FaultContext
  readonly #hooks: Hooks
  readonly #call: NodeHook<number>
  /** The largest from before. */
  readonly #before = new Map<string, number>()
  readonly #last = new Map<string, number[]>()
  readonly #stop = new AbortController()
  #loop: Promise<unknown> = Promise.resolve()
  #trouble = ''

  private constructor(context: FaultContext, hooks: Hooks, call: NodeHook<number>) {
    this.#context = context
    this.#hooks = hooks
    this.#call = call
  }

  /** Reads the nodes for as long as it takes to know what is usual. */
  static async before(
    context: FaultContext,
    { hooks, call, nodes }: { hooks: Hooks; call: NodeHook<number>; nodes: readonly string[] },
  ): Promise<Lag> {
    const lag = new Lag(context, hooks, call)
    for (let reading = 0; reading < baselineReadings; reading++) {
      if (reading > 0) await sleep(readEveryMs, context.signal)
      for (const node of nodes) {
        const now = await lag.#readOne(node, 'inject')
        lag.#before.set(node, Math.max(now, lag.#before.get(node) ?? now))
      }
    }
    return lag
  }

  /** Goes on reading, whatever the other evidence takes, until `stop`. */
  watch(): void {
    this.#loop = Promise.all([...this.#before.keys()].map((node) => this.#watchOne(node)))
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#loop
  }

  /** What the last readings of each node come to, once there are enough of them. */
  read(): readonly Evidence[] {
    return [...this.#before].flatMap(([node, before]) => {
      const after = this.#usual(node)
      return after === null ? [] : [this.#row(node, 'lag (most before, median now)', { before, after })]
    })
  }

  /** How far each node is behind now, after the heal; null for one that does not say. */
  async readHealed(): Promise<readonly Evidence[]> {
    // That it catches up is the system's matter, and so is whether it answers meanwhile: the fault is gone either way.
    return Promise.all(
      [...this.#before].map(async ([node, before]) =>
        this.#row(node, 'lag', { before, after: await this.#readOne(node, 'undo').catch(() => null) }),
      ),
    )
  }

  /** The first node that is not further behind than before, in words; null when all are. */
  steady(): string | null {
    for (const [node, before] of this.#before) {
      const now = this.#usual(node)
      if (now === null) return `too little is known of the lag of ${node}${this.#trouble}`
      if (now <= before)
        return `${node} is not further behind than before: lag ${now}, at most ${before} before`
    }
    return null
  }

  /** The median of the last readings; null while there are too few. */
  #usual(node: string): number | null {
    const last = this.#last.get(node) ?? []
    return last.length < lastReadings
      ? null
      : (last.toSorted((a, b) => a - b)[(lastReadings - 1) / 2] ?? null)
  }

  #row(node: string, signal: string, reading: Pick<Evidence, 'before' | 'after'>): Evidence {
    return { side: 'victim', subject: node, signal, ...reading, at: this.#context.clock.now() }
  }

  async #watchOne(node: string): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      try {
        const last = [...(this.#last.get(node) ?? []), await this.#readOne(node, 'inject')]
        this.#last.set(node, last.slice(-lastReadings))
      } catch (error) {
        // A node that is slow may fail to answer; that is told when too few answers come.
        this.#trouble = `: ${messageOf(error)}`
      }
      await sleep(readEveryMs, signal)
    }
  }

  async #readOne(node: string, purpose: Purpose): Promise<number> {
    const answer: unknown = await this.#hooks.onNode({ name: 'lag', call: this.#call }, node, purpose)
    if (typeof answer === 'number' && Number.isFinite(answer)) return answer
    throw new FaultError('hook', `slow-follower: lag() on ${node} answered ${String(answer)}`, {
      hint: 'return a number that grows with the distance to the leader',
    })
  }
}
