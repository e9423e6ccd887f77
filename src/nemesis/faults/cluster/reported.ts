import { FaultError, messageOf } from '../../../errors.js'
import type { Evidence } from '../../evidence.js'
import type { FaultContext } from '../../fault.js'
import { becomes } from '../../../time/wait.js'
import { callRecorded } from './call-recorded.js'
import type { NodeHook } from './hook.js'
import type { Hooks, Named, Purpose } from './hooks.js'
import { readingOf, type Reading } from './reading.js'

/** How long a node may take to report its old state after it was put back. */
const backWithinMs = 10_000

export interface ReportedOptions {
  readonly hooks: Hooks
  readonly read: Named<NodeHook>
  /** What is read, such as `version it reports`. */
  readonly signal: string
}

/**
 * What every node reports about itself, such as its version, before the fault and now; and how nodes that a hook has
 * changed are put back.
 */
export class Reported {
  readonly #context: FaultContext
  readonly #options: ReportedOptions
  readonly #before: ReadonlyMap<string, Reading>
  /** Nodes that a hook was let loose on and that were not put back yet. */
  readonly #changed = new Set<string>()
  #now: ReadonlyMap<string, Reading>

  private constructor(context: FaultContext, options: ReportedOptions, before: ReadonlyMap<string, Reading>) {
    this.#context = context
    this.#options = options
    this.#before = before
    this.#now = before
  }

  /** Reads every node before anything is changed. */
  static async before(context: FaultContext, options: ReportedOptions): Promise<Reported> {
    return new Reported(context, options, await readAll(context, options, 'inject'))
  }

  /** Changes a node by a hook. The evidence is the injector's. */
  async change(node: string, hook: Named<NodeHook>): Promise<Evidence> {
    this.#changed.add(node)
    return this.#call(node, hook, 'inject')
  }

  /** What every node reports now, as a victim's reading each. */
  async read(purpose: Purpose = 'inject'): Promise<readonly Evidence[]> {
    this.#now = await readAll(this.#context, this.#options, purpose)
    const at = this.#context.clock.now()
    return [...this.#now].map(([node, after]) => ({
      side: 'victim',
      subject: node,
      signal: this.#options.signal,
      before: this.#before.get(node) ?? null,
      after,
      at,
    }))
  }

  /** The first of these nodes that reports what it did before, in words; null when all differ. */
  unchanged(nodes: readonly string[]): string | null {
    const same = nodes.find((node) => this.#now.get(node) === this.#before.get(node))
    return same === undefined ? null : `${same} still reports ${this.#now.get(same)}`
  }

  /** The first changed node that reports its old state again although nobody put it back, in words; null when none does. */
  async lost(): Promise<string | null> {
    const { hooks, read } = this.#options
    for (const node of this.#changed) {
      const now = readingOf(await hooks.onNode(read, node, 'undo'), `${read.name}() on ${node}`)
      if (now === this.#before.get(node)) return `${node} reports ${now} again`
    }
    return null
  }

  /** In words that all nodes report the same; null when they do not. */
  uniform(): string | null {
    const [first, ...others] = [...this.#now.values()]
    return others.some((reading) => reading !== first) ? null : `all nodes report ${first}`
  }

  /**
   * Puts the changed nodes back, the last one first, and waits until each reports what it did before. Safe to call
   * twice. Throws the first FaultError after all have been tried.
   */
  async putBack(hook: Named<NodeHook>): Promise<readonly Evidence[]> {
    const evidence: Evidence[] = []
    const errors: unknown[] = []
    for (const node of [...this.#changed].toReversed()) {
      try {
        evidence.push(await this.#call(node, hook, 'undo'), await this.#isBack(node, hook.name))
        this.#changed.delete(node)
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw errors[0]
    return evidence
  }

  async #call(node: string, hook: Named<NodeHook>, purpose: Purpose): Promise<Evidence> {
    const { hooks } = this.#options
    const called = await callRecorded(this.#context, { subject: node, hook: hook.name }, () =>
      hooks.onNode(hook, node, purpose),
    )
    return called.evidence
  }

  async #isBack(node: string, hook: string): Promise<Evidence> {
    const { hooks, read, signal } = this.#options
    const before = this.#before.get(node)
    let last = 'nothing'
    const back = await becomes(
      async () => {
        try {
          const now = readingOf(await hooks.onNode(read, node, 'undo'), `${read.name}() on ${node}`)
          last = String(now)
          return now === before
        } catch (error) {
          // A node that was just started again may need a while until it answers.
          last = messageOf(error)
          return false
        }
      },
      { withinMs: backWithinMs, everyMs: 100 },
    )
    const at = this.#context.clock.now()
    if (!back) {
      throw new FaultError(
        'heal',
        `${node} reports ${last} after ${hook}(); before the fault it was ${before}`,
        {
          hint: `${hook} must take everything back that the fault's hook did`,
        },
      )
    }
    return { side: 'victim', subject: node, signal, before: this.#now.get(node) ?? null, after: last, at }
  }
}

async function readAll(
  { nodes }: FaultContext,
  { hooks, read }: ReportedOptions,
  purpose: Purpose,
): Promise<ReadonlyMap<string, Reading>> {
  const readings = await Promise.all(
    nodes.map(
      async (node) =>
        [node, readingOf(await hooks.onNode(read, node, purpose), `${read.name}() on ${node}`)] as const,
    ),
  )
  return new Map(readings)
}
