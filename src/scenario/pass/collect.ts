import type { Checker, CollectContext } from '../../checkers/checker.js'
import { messageOf } from '../../errors.js'
import type { Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import type { SystemNode } from '../../systems/system.js'
import { withClients } from './clients.js'
import { withDeadline } from './poll.js'
import type { System } from '../spec.js'

/** What one checker read from the live system, or why it could not. */
export type Collected = { readonly value: Json } | { readonly failure: string }

export interface CollectInput<Client> {
  readonly system: System<Client>
  readonly nodes: readonly SystemNode[]
  readonly checkers: readonly Checker<Client>[]
  readonly operations: readonly Operation[]
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Lets every checker that asks for it read the system at quiescence, each through clients of its own. */
export async function collect<Client>(input: CollectInput<Client>): Promise<ReadonlyMap<string, Collected>> {
  const collected = new Map<string, Collected>()
  const keys = [...new Set(input.operations.map((operation) => operation.key))]
  for (const checker of input.checkers) {
    const read = checker.collect?.bind(checker)
    if (read === undefined) continue
    try {
      const value = await withClients(input.system, input.nodes, input.signal, (clients) => {
        const context: CollectContext<Client> = {
          nodes: input.nodes,
          clients,
          keys,
          operations: input.operations,
          signal: input.signal,
        }
        return withDeadline(() => read(context), input.timeoutMs, input.signal)
      })
      collected.set(checker.name, { value })
    } catch (error) {
      collected.set(checker.name, { failure: `its final reads failed: ${messageOf(error)}` })
    }
  }
  return collected
}
