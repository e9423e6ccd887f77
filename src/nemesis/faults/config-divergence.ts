import { z } from 'zod'
import type { FaultDefinition, Target } from '../fault.js'
import { diverge } from './cluster/divergence.js'
import { hookFields, type HookOptions, hookSchema, type NodeHook } from './cluster/hook.js'
import { targetSchema } from './options.js'

export interface ConfigDivergenceOptions extends HookOptions {
  readonly node: Target
  /** Gives the node a configuration that the others do not have. */
  readonly apply: NodeHook
  /** The configuration that a node says it has; called on every node. */
  readonly read: NodeHook
  /** Gives the node its old configuration back; the reading must then be the old one. Safe to call twice. */
  readonly restore: NodeHook
}

/**
 * Configuration divergence: some nodes run with other settings than the rest.
 *
 * Landed when each changed node reports another configuration than before, and the nodes do not all report the same.
 */
export const configDivergence: FaultDefinition<ConfigDivergenceOptions> = {
  name: 'config-divergence',
  category: 'cluster',
  needs: [],
  options: z.strictObject({
    node: targetSchema,
    apply: hookSchema,
    read: hookSchema,
    restore: hookSchema,
    ...hookFields,
  }),
  inject: (context, { node, apply, read, restore, hookTimeout }) =>
    diverge(context, {
      fault: 'config-divergence',
      node,
      hookTimeout,
      change: { name: 'apply', call: apply },
      read: { name: 'read', call: read },
      restore: { name: 'restore', call: restore },
      signal: 'configuration it reports',
    }),
}
