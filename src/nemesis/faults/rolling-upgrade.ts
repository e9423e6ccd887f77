import { z } from 'zod'
import type { FaultDefinition } from '../fault.js'
import { affectedBy } from './affected.js'
import { hookSchema, type NodeHook } from './cluster/hook.js'
import { Hooks, type Named } from './cluster/hooks.js'
import { nodesToTake } from './cluster/order.js'
import { Reported } from './cluster/reported.js'
import { roll, rollFields, rollInWords, type RollOptions } from './cluster/roll.js'
import { takeBack } from './take-back.js'

export interface RollingUpgradeOptions extends RollOptions {
  /** Makes the node run the new version; `whileDown` stops it, lets the hook swap what it runs, and starts it. */
  readonly upgrade: NodeHook
  /** The version that a node itself reports; called on every node. */
  readonly version: NodeHook
  /** Rolls a node back when the fault is healed, the last one first. Without it the nodes stay upgraded. */
  readonly downgrade?: NodeHook | undefined
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
    ...rollFields,
    upgrade: hookSchema,
    version: hookSchema,
    downgrade: hookSchema.optional(),
  }),
  async inject(context, given) {
    const fault = 'rolling-upgrade'
    const nodes = await nodesToTake(context, given.order)
    const hooks = new Hooks(context, { fault, hookTimeout: given.hookTimeout })
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
    const rolled = await roll(context, given, {
      nodes,
      hooks,
      verb: 'upgraded',
      visit: async (node) => [await reported.change(node, upgrade)],
    }).catch((error: unknown) => takeBack(error, back))
    return {
      target: nodes.join(', '),
      mechanism: `hook upgrade(); ${rollInWords(given)}`,
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
