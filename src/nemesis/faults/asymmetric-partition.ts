import { z } from 'zod'
import type { FaultDefinition, Target } from '../fault.js'
import { linksFrom, offeredLinks, resolveSides } from './links.js'
import { networkInjection } from './network-injection.js'
import { establishedSchema, modeSchema, targetSchema } from './options.js'

export interface AsymmetricPartitionOptions {
  readonly from: Target
  readonly to: Target
  /** `drop` (default): nothing comes back. `reject`: a reset does. */
  readonly mode?: 'drop' | 'reject' | undefined
  /**
   * `packets` (default): nothing that `from` sends arrives. `connections`: `from` cannot open connections to `to`, while
   * those that `to` opens work.
   */
  readonly level?: 'packets' | 'connections' | undefined
  /** Connections that exist already: `cut` (default) like everything else, or `left` as they are. */
  readonly established?: 'cut' | 'left' | undefined
}

/**
 * Cuts traffic in one direction only: what `from` sends does not reach `to`, while `to` still reaches `from`.
 *
 * On the level of packets a TCP connection between the two stalls either way, because its acknowledgements are lost. On
 * the level of connections only those stall that `from` opens.
 *
 * Landed when what each node of `from` sent has met the cut, traffic the other way was let through (where the rule
 * counts it), and a victim shows it. Undone by removing the rule.
 */
export const asymmetricPartition: FaultDefinition<AsymmetricPartitionOptions> = {
  name: 'asymmetric-partition',
  category: 'network',
  needs: ['network'],
  options: z.strictObject({
    from: targetSchema,
    to: targetSchema,
    mode: modeSchema.optional(),
    level: z.enum(['packets', 'connections']).optional(),
    established: establishedSchema.optional(),
  }),
  async inject(context, given) {
    const [from, to] = await resolveSides(context, 'asymmetric-partition', [given.from, given.to])
    const links = offeredLinks(context, 'asymmetric-partition', linksFrom(from, to))
    const mode = given.mode ?? 'drop'
    const { level = 'packets', established = 'cut' } = given
    const selective = level === 'connections' || established === 'left'
    return networkInjection(context, {
      target: `${from.join(', ')} -> ${to.join(', ')}${level === 'connections' ? ' (connections)' : ''}${established === 'left' ? ' (open connections left)' : ''}`,
      links,
      verb: mode === 'drop' ? 'dropped' : 'rejected',
      mustMeet: from,
      open: linksFrom(to, from),
      ...(selective ? { spares: 'connections' } : {}),
      stallMs: 250,
      put: () => context.network.block(links, mode, { level, established }),
    })
  },
}
