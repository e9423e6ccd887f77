import { FaultError } from '../../../errors.js'
import type { Evidence } from '../../evidence.js'
import { changed, type FaultContext } from '../../fault.js'
import { becomes } from '../../../time/wait.js'
import type { NodeHook } from './hook.js'
import type { Hooks, Purpose } from './hooks.js'
import { readingOf, type Reading } from './reading.js'

/** How long links may take to be up again after a secret was put back. */
const backWithinMs = 15_000
/** A count of refusals that stands still for so long has ended. */
const stillMs = 500

/**
 * What every node says of its logins: the state of a link, such as `up`, or a count of refused logins.
 * Tells apart by the reading itself: a number is a count.
 */
export class LinkStates {
  readonly #context: FaultContext
  readonly #hooks: Hooks
  readonly #call: NodeHook
  readonly #before = new Map<string, Reading>()

  private constructor(context: FaultContext, hooks: Hooks, call: NodeHook) {
    this.#context = context
    this.#hooks = hooks
    this.#call = call
  }

  /** Reads every node before anything is changed. */
  static async before(
    context: FaultContext,
    { hooks, call }: { hooks: Hooks; call: NodeHook },
  ): Promise<LinkStates> {
    const states = new LinkStates(context, hooks, call)
    await Promise.all(
      context.nodes.map(async (node) => states.#before.set(node, await states.#readOne(node, 'inject'))),
    )
    return states
  }

  /** What every node says now, as a victim's reading each. */
  async read(purpose: Purpose): Promise<readonly Evidence[]> {
    return Promise.all(
      this.#context.nodes.map(async (node): Promise<Evidence> => {
        const after = await this.#readOne(node, purpose)
        return {
          side: 'victim',
          subject: node,
          signal: typeof after === 'number' ? 'refused logins' : 'link',
          before: this.#before.get(node) ?? null,
          after,
          at: this.#context.clock.now(),
        }
      }),
    )
  }

  /** Waits until every link is what it was, and no count grows any more. Throws FaultError when one is not in time. */
  async untilBack(): Promise<readonly Evidence[]> {
    let last = await this.#readAgain()
    let stillSince = performance.now()
    const back = await becomes(
      async () => {
        const now = await this.#readAgain()
        const grew = now.some(
          (item, index) => typeof item.after === 'number' && item.after !== last[index]?.after,
        )
        if (grew) stillSince = performance.now()
        last = now
        const down = now.some((item) => typeof item.after !== 'number' && changed(item))
        return !down && performance.now() - stillSince >= (this.#counts(now) ? stillMs : 0)
      },
      { withinMs: backWithinMs, everyMs: 50 },
    )
    if (back) return last
    const bad = last.filter(changed).map(({ subject, signal, after }) => `${signal} of ${subject}: ${after}`)
    throw new FaultError('heal', `logins still fail after restore(): ${bad.join('; ')}`, {
      hint: 'restore must give every side the old secret back',
    })
  }

  #counts(readings: readonly Evidence[]): boolean {
    return readings.some(({ after }) => typeof after === 'number')
  }

  async #readAgain(): Promise<readonly Evidence[]> {
    return this.read('undo')
  }

  async #readOne(node: string, purpose: Purpose): Promise<Reading> {
    const answer = await this.#hooks.onNode({ name: 'link', call: this.#call }, node, purpose)
    return readingOf(answer, `link() on ${node}`)
  }
}
