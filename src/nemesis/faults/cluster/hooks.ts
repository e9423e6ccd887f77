import { EnvironmentError, FaultError, messageOf } from '../../../errors.js'
import type { SystemNode } from '../../../systems/system.js'
import type { FaultContext } from '../../fault.js'
import { milliseconds } from '../../../time/duration.js'
import { becomes, within } from '../../../time/wait.js'
import { probe } from '../probe.js'
import type { ClusterHook, ClusterHookContext, HookOptions, NodeHook } from './hook.js'

/** How long a node may take to end by itself before a hook's work is done on it. */
const graceMs = 10_000
/** How long a node may take to answer at its port after that. */
const answerWithinMs = 5_000

/** What a hook is called for: what takes back must be done although the run is cancelled. */
export type Purpose = 'inject' | 'undo'

/** A hook of the user with the name of its option. */
export interface Named<Hook> {
  readonly name: string
  readonly call: Hook
}

/**
 * Calls the hooks of one fault, each with a limit of time.
 *
 * Throws FaultError `hook`, which names fault, hook and node, when one throws, or has no answer in time. EnvironmentError
 * passes as it is, so that a hook that uses a capability which is not there ends in INCONCLUSIVE-env.
 */
export class Hooks {
  readonly #context: FaultContext
  readonly #fault: string
  readonly #timeoutMs: number
  /** Nodes that hooks have taken down; whoever takes back must not meet them half-way. */
  readonly #down = new Set<Promise<void>>()

  constructor(context: FaultContext, { fault, hookTimeout }: { readonly fault: string } & HookOptions) {
    this.#context = context
    this.#fault = fault
    this.#timeoutMs = milliseconds(hookTimeout ?? '20s', 'hookTimeout')
  }

  /** Calls a hook for a node and resolves to what it answered. */
  async onNode<Answer>(hook: Named<NodeHook<Answer>>, node: string, purpose: Purpose): Promise<Answer> {
    const where = `${hook.name}() on ${node}`
    return this.#call(where, purpose, (given) =>
      hook.call({
        ...given,
        node: this.#systemNode(node),
        whileDown: (work) => this.#whileDown(node, work),
      }),
    )
  }

  /** Calls a hook for the cluster and resolves to what it answered. */
  async onCluster<Answer>(hook: Named<ClusterHook<Answer>>, purpose: Purpose): Promise<Answer> {
    return this.#call(`${hook.name}()`, purpose, (given) => hook.call(given))
  }

  async #call<Answer>(
    where: string,
    purpose: Purpose,
    work: (given: ClusterHookContext) => Promise<Answer> | Answer,
  ): Promise<Answer> {
    const { exec, nodes, signal } = this.#context
    if (purpose === 'undo') await Promise.allSettled(this.#down)
    const over = new AbortController()
    const given: ClusterHookContext = {
      nodes: nodes.map((name) => this.#systemNode(name)),
      exec,
      signal: purpose === 'undo' ? over.signal : AbortSignal.any([signal, over.signal]),
    }
    try {
      if (given.signal.aborted) throw new FaultError('hook', 'the run was cancelled')
      const answer = Promise.resolve().then(() => work(given))
      return await within(this.#timeoutMs, 'it', Promise.race([answer, cancelled(given.signal)]))
    } catch (error) {
      if (error instanceof EnvironmentError) throw error
      throw new FaultError('hook', `${this.#fault}: ${where}: ${messageOf(error)}`, {
        cause: error,
        hint: `look at the hook ${where.replace(/\(.*/, '')}, or give it more time by hookTimeout`,
      })
    } finally {
      over.abort()
    }
  }

  #systemNode(name: string): SystemNode {
    const { systemNodes = [], nodes } = this.#context
    const known = systemNodes.find((node) => node.name === name)
    if (known !== undefined) return known
    return {
      name,
      index: nodes.indexOf(name),
      address: (port) => {
        throw new FaultError('hook', `the address of ${name} for port ${port} is not known here`)
      },
    }
  }

  #whileDown(node: string, work: () => unknown): Promise<void> {
    const cycle = this.#cycle(node, work)
    this.#down.add(cycle)
    // Its failure is the hook's to hear of; here it only counts that it is over.
    void cycle.catch(() => undefined).then(() => this.#down.delete(cycle))
    return cycle
  }

  async #cycle(node: string, work: () => unknown): Promise<void> {
    const { lifecycle } = this.#context
    await lifecycle.stop(node, graceMs)
    try {
      await work()
    } finally {
      await lifecycle.start(node)
    }
    const answers = await becomes(async () => (await probe(this.#context, node)) !== 'refused', {
      withinMs: answerWithinMs,
    })
    if (!answers) throw new FaultError('hook', `${node} does not answer after it was started again`)
  }
}

/** Rejects when the signal aborts; never resolves. */
function cancelled(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new FaultError('hook', 'the run was cancelled')), {
      once: true,
    })
  })
}
