import { z } from 'zod'
import { checkedOptions } from '../checked-options.js'
import type { Final } from './final-reads.js'
import { defaultRemoves, defaultWrites, type WriteTypes } from './writes.js'

export interface NoLostAckOptions<Client> {
  /**
   * Reads one key through one client at quiescence, once for every key that the workload used and every node. Answers
   * with the value, or for sets, queues and logs with the list of all elements. Without it the history's own reads at
   * the end are judged.
   */
  final?: Final<Client>
  /**
   * `each` (default): every node by itself must show every acknowledged write, so a write that one replica lost is
   * lost. `any`: one node that shows it is enough, for systems whose nodes hold different parts. Of what `final` reads;
   * reads of a recorded history are taken together.
   */
  from?: 'each' | 'any'
  /** True: the recording of a queue ends when it is empty. Default: as `totalQueue` finds out. */
  drained?: boolean
  /**
   * Operation types that write. Default: write, put, set, cas, compare-and-set, add, insert, append, create, enqueue,
   * push.
   */
  writes?: readonly string[]
  /** Operation types that take out. Default: delete, remove, dequeue, poll, pop. */
  removes?: readonly string[]
}

const schema = z.strictObject({
  final: z
    .custom<unknown>((value) => typeof value === 'function', 'expected a function that reads one key')
    .optional(),
  from: z.enum(['each', 'any']).default('each'),
  drained: z.boolean().default(false),
  writes: z.array(z.string().min(1)).default([...defaultWrites]),
  removes: z.array(z.string().min(1)).default([...defaultRemoves]),
})

/** How acknowledged writes are looked for. */
export interface LossRules {
  readonly from: 'each' | 'any'
  readonly drained: boolean
  readonly types: WriteTypes
}

/** The options with defaults filled in. Throws DeclarationError that says which one is wrong. */
export function readOptions<Client>(
  options: NoLostAckOptions<Client>,
): LossRules & { readonly final: Final<Client> | null } {
  const { from, drained, writes, removes } = checkedOptions(options, {
    checker: 'no-lost-ack',
    factory: 'noLostAck',
    schema,
    example: 'noLostAck({ final: ({ client, key }) => client.get(key) })',
  })
  const types = { writes: new Set(writes), removes: new Set(removes) }
  return { final: options.final ?? null, from, drained, types }
}
