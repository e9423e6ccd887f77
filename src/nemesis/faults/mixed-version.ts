import { z } from 'zod'
import type { FaultDefinition, Target } from '../fault.js'
import { diverge } from './cluster/divergence.js'
import { hookFields, type HookOptions, hookSchema, type NodeHook } from './cluster/hook.js'
import { targetSchema } from './options.js'

export interface MixedVersionOptions extends HookOptions {
  readonly node: Target
  /** Makes the node run another version; `whileDown` stops it, lets the hook swap what it runs, and starts it. */
  readonly upgrade: NodeHook
  /** The version that a node itself reports; called on every node. */
  readonly version: NodeHook
  /** Makes the node run the old version again. Safe to call twice. */
  readonly downgrade: NodeHook
}

/**
 * A cluster of two versions, as in the middle of an upgrade, for as long as the fault lasts.
 *
 * Landed when each upgraded node reports another version than before, and the nodes do not all report the same.
 */
export const mixedVersion: FaultDefinition<MixedVersionOptions> = {
  name: 'mixed-version',
  category: 'cluster',
  needs: [],
  options: z.strictObject({
    node: targetSchema,
    upgrade: hookSchema,
    version: hookSchema,
    downgrade: hookSchema,
    ...hookFields,
  }),
  inject: (context, { node, upgrade, version, downgrade, hookTimeout }) =>
    diverge(context, {
      fault: 'mixed-version',
      node,
      hookTimeout,
      change: { name: 'upgrade', call: upgrade },
      read: { name: 'version', call: version },
      restore: { name: 'downgrade', call: downgrade },
      signal: 'version it reports',
    }),
}
