import { z } from 'zod'
import type { Exec } from '../../../systems/capabilities.js'
import type { SystemNode } from '../../../systems/system.js'
import type { Duration } from '../../../time/duration.js'
import { durationSchema } from '../options.js'

/** What a hook about the cluster as a whole is given. */
export interface ClusterHookContext {
  readonly nodes: readonly SystemNode[]
  /** Runs commands where a node runs, on systems that can. */
  readonly exec: Exec
  /** Aborts when the hook's time is over, and when the run is cancelled unless the hook takes something back. */
  readonly signal: AbortSignal
}

/** What a hook about one node is given. */
export interface NodeHookContext extends ClusterHookContext {
  readonly node: SystemNode
  /**
   * Stops the node, does the work and starts the node again with the same address and data, also when the work fails.
   * Resolves when it serves its port again.
   */
  whileDown(work: () => unknown): Promise<void>
}

/** A function of the user's by which a fault acts on the cluster or asks it something. */
export type ClusterHook<Answer = unknown> = (context: ClusterHookContext) => Promise<Answer> | Answer

/** The same for one node. */
export type NodeHook<Answer = unknown> = (context: NodeHookContext) => Promise<Answer> | Answer

/** What every fault that takes hooks can be told about them. */
export interface HookOptions {
  /** How long one call of a hook may take. Default 20 s. */
  readonly hookTimeout?: Duration | undefined
}

/** The fields of `HookOptions`. */
export const hookFields = { hookTimeout: durationSchema.optional() }

/** Hooks are checked when they are called: here only that there is a function. */
export const hookSchema = z.custom<never>(
  (value) => typeof value === 'function',
  'expected a function: the hook by which the system is driven',
)
