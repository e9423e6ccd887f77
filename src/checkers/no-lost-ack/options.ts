import { z } from 'zod'
import { DeclarationError } from '../../errors.js'
import type { Final } from './final-reads.js'
import { defaultRemoves, defaultWrites, type WriteTypes } from './writes.js'

export interface NoLostAckOptions<Client> {
  /**
   * Reads one key through one client at quiescence, once for every key that the workload used and every node. Answers
   * with the value, or for sets, queues and logs with the list of all elements.
   */
  final: Final<Client>
  /**
   * `each` (default): every node by itself must show every acknowledged write, so a write that one replica lost is
   * lost. `any`: one node that shows it is enough, for systems whose nodes hold different parts.
   */
  from?: 'each' | 'any'
  /** Operation types that write. Default: write, put, set, cas, compare-and-set, add, insert, append, enqueue, push. */
  writes?: readonly string[]
  /** Operation types that take out. Default: delete, remove, dequeue, poll, pop. */
  removes?: readonly string[]
}

const optionsSchema = z.strictObject({
  final: z.custom<unknown>((value) => typeof value === 'function', 'expected a function that reads one key'),
  from: z.enum(['each', 'any']).optional(),
  writes: z.array(z.string().min(1)).optional(),
  removes: z.array(z.string().min(1)).optional(),
})

/** The options with defaults filled in. Throws DeclarationError that says which one is wrong. */
export function readOptions<Client>(options: NoLostAckOptions<Client>): {
  final: Final<Client>
  from: 'each' | 'any'
  types: WriteTypes
} {
  const parsed = optionsSchema.safeParse(options)
  if (!parsed.success) {
    throw new DeclarationError('no-lost-ack', `noLostAck(): ${z.prettifyError(parsed.error)}`, {
      hint: 'noLostAck({ final: ({ client, key }) => client.get(key) })',
    })
  }
  return {
    final: options.final,
    from: options.from ?? 'each',
    types: {
      writes: new Set(options.writes ?? defaultWrites),
      removes: new Set(options.removes ?? defaultRemoves),
    },
  }
}
