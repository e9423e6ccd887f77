import { z } from 'zod'
import { milliseconds, type Duration } from '../../time/duration.js'
import { FaultError, messageOf } from '../../errors.js'
import type { FaultDefinition } from '../fault.js'
import { affectedBy } from './affected.js'
import { hookSchema, type NodeHook } from './cluster/hook.js'
import { Hooks, type Named } from './cluster/hooks.js'
import { hookTimeoutMs } from './cluster/hook-timeout.js'
import { nodesToTake, orderSchema, type RollOrder } from './cluster/order.js'
import { Reported } from './cluster/reported.js'
import { roll, waitSchema, type Rolled, type RollWait } from './cluster/roll.js'
import { durationSchema } from './options.js'

export interface RollingUpgradeOptions {
  readonly order: RollOrder
  /** Makes the node run the new version; `whileDown` stops it, lets the hook swap what it runs, and starts it. */
  readonly upgrade: NodeHook
  /** The version that a node itself reports; called on every node. */
  readonly version: NodeHook
  /** Rolls a node back when the fault is healed, the last one first. Without it the nodes stay upgraded. */
  readonly downgrade?: NodeHook | undefined
  /** Resolves to true when the node is well again, so that the next one may go. Default `none`: nobody waits. */
  readonly wait?: RollWait | undefined
  /** Time between one node and the next. Default none. */
  readonly pause?: Duration | undefined
  readonly hookTimeout?: Duration | undefined
}

/**
 * Upgrades all nodes one after the other under load; with `downgrade` back again when its time is over.
 *
 * Landed when no node reports the version from before.
 */
export const rollingUpgrade: FaultDefinition<RollingUpgradeOptions> = {
  name: 'rolling-upgrade',
  category: 'cluster',
  oneByOne: true,
  needs: [],
  options: z.strictObject({
    order: orderSchema,
    upgrade: hookSchema,
    version: hookSchema,
    downgrade: hookSchema.optional(),
    wait: waitSchema.optional(),
    pause: durationSchema.optional(),
    hookTimeout: durationSchema.optional(),
  }),
  async inject(context, given) {
    const fault = 'rolling-upgrade'
    const { order, wait = 'none', pause = 0 } = given
    const nodes = await nodesToTake(context, order)
    const hooks = new Hooks(context, { fault, timeoutMs: hookTimeoutMs(given.hookTimeout) })
    const reported = await Reported.before(context, {
      hooks,
      read: { name: 'version', call: given.version },
      signal: 'version it reports',
    })
    const upgrade: Named<NodeHook> = { name: 'upgrade', call: given.upgrade }
    const back = () =>
      given.downgrade === undefined
        ? reported.read('undo')
        : reported.putBack({ name: 'downgrade', call: given.downgrade })
    context.injecting()
    let rolled: Rolled
    try {
      rolled = await roll(context, {
        order,
        nodes,
        wait,
        hooks,
        pauseMs: milliseconds(pause, 'pause'),
        verb: 'upgraded',
        visit: async (node) => [await reported.change(node, upgrade)],
      })
    } catch (error) {
      await back().catch((cause: unknown) => {
        throw new FaultError('hook', `${messageOf(error)}; and then: ${messageOf(cause)}`, { cause: error })
      })
      throw error
    }
    return {
      target: nodes.join(', '),
      mechanism: `hook upgrade(), ${typeof order === 'string' ? order : 'in the order given'}`,
      affects: affectedBy(
        context,
        nodes.map((node) => ({ node })),
      ),
      evidence: async () => [...rolled.evidence, ...(await reported.read())],
      objection: () => rolled.stopped ?? reported.unchanged(context.nodes),
      lost: () => reported.lost(),
      heal: back,
    }
  },
}
