import { z } from 'zod'
import { checkedOptions } from '../checked-options.js'
import type { Final } from '../no-lost-ack/final-reads.js'

export interface CounterBoundsOptions<Client> {
  /** Reads one key through one client at quiescence, once for every key that the workload used and every node. */
  readonly final?: Final<Client>
  /**
   * Which reads must be within bounds. `all` (default): also those during the run. `final`: only those at the end, by
   * `final`, or without it the recorded read of each key that began last; for counters that converge.
   */
  readonly reads?: 'all' | 'final'
}

const optionsSchema = z.strictObject({
  final: z.custom<unknown>((value) => typeof value === 'function', 'expected a function').optional(),
  reads: z.enum(['all', 'final']).optional(),
})

/** The options with defaults. Throws DeclarationError that says which one is wrong. */
export function readOptions<Client>(options: CounterBoundsOptions<Client>): {
  readonly final: Final<Client> | null
  readonly reads: 'all' | 'final'
} {
  const { reads = 'all' } = checkedOptions(options, {
    checker: 'counter',
    factory: 'counterBounds',
    schema: optionsSchema,
    example: "counterBounds({ reads: 'final', final: ({ client, key }) => client.value(key) })",
  })
  return { final: options.final ?? null, reads }
}
