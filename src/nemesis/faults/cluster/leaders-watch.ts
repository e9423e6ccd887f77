import { FaultError, messageOf } from '../../../errors.js'
import type { SystemNode } from '../../../systems/system.js'
import { sleep } from '../../../time/sleep.js'
import type { FaultContext } from '../../fault.js'
import type { ClusterHook } from './hook.js'
import type { Hooks, Purpose } from './hooks.js'

/** How often the nodes are asked who leads. */
export const leadersEveryMs = 100
/** Readings after another leader was seen before it is decided whether two lead at one time. */
const readingsAfterElection = 3

/** The nodes that call themselves leader: a name or a node each. */
export type LeadersHook = ClusterHook<readonly (string | SystemNode)[]>

/** Asks who leads. Throws FaultError when the hook fails or names somebody who is no node. */
export async function leadersNow(
  context: FaultContext,
  hooks: Hooks,
  { call, purpose }: { call: LeadersHook; purpose: Purpose },
): Promise<readonly string[]> {
  const answer: unknown = await hooks.onCluster({ name: 'leaders', call }, purpose)
  const names = Array.isArray(answer)
    ? answer.map((one: unknown) => (typeof one === 'string' ? one : (one as SystemNode | null)?.name))
    : null
  const stranger = names?.find((name) => name === undefined || !context.nodes.includes(name))
  if (names === null || (names.length > 0 && stranger !== undefined)) {
    throw new FaultError('hook', `split-brain: leaders() answered ${JSON.stringify(answer)}`, {
      hint: `return a list of nodes, or of their names: ${context.nodes.join(', ')}`,
    })
  }
  return context.nodes.filter((node) => names.includes(node))
}

/**
 * Asks again and again who leads while one side is cut off.
 *
 * One reading may ask one node after the other, so two leaders in one reading may have led after each other. Two nodes
 * lead at one time only if both do in two readings in a row: their spells then overlap.
 */
export class LeadersWatch {
  readonly #stop = new AbortController()
  readonly #loop: Promise<void>
  #previous: readonly string[] = []
  /** Names from the last reading; null before the first. */
  now: readonly string[] | null = null
  /** The most that led at one time. */
  together: readonly string[] = []
  /** The first leader on the other side of the cut. */
  elected: string | null = null
  trouble: string | null = null
  #sinceElection = 0

  constructor(read: () => Promise<readonly string[]>, cut: readonly string[]) {
    this.#loop = this.#run(read, cut)
  }

  /** True when somebody was elected and enough was seen to tell whether the old leader led on. */
  get decided(): boolean {
    return this.together.length > 1 || this.#sinceElection >= readingsAfterElection
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#loop
  }

  async #run(read: () => Promise<readonly string[]>, cut: readonly string[]): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        this.#take(await read(), cut)
      } catch (error) {
        // While an election goes on nodes may not answer; what was the matter last is told when nobody is elected.
        this.trouble = messageOf(error)
        this.#previous = []
      }
      await sleep(leadersEveryMs, this.#stop.signal)
    }
  }

  #take(names: readonly string[], cut: readonly string[]): void {
    this.trouble = null
    this.now = names
    const both = names.filter((name) => this.#previous.includes(name))
    if (both.length > this.together.length) this.together = both
    if (this.elected !== null) this.#sinceElection += 1
    this.elected ??= names.find((name) => !cut.includes(name)) ?? null
    this.#previous = names
  }
}
