import { z } from 'zod'
import { milliseconds, type Duration } from '../../time/duration.js'
import type { FaultDefinition, InjectContext, Injection, Target } from '../fault.js'
import { hookFields, type HookOptions, hookSchema, type NodeHook } from './cluster/hook.js'
import { Hooks } from './cluster/hooks.js'
import { Lag } from './cluster/lag.js'
import { slowByCpu } from './cluster/slow-by-cpu.js'
import { slowByPauses } from './cluster/slow-by-pauses.js'
import { targetNodes } from './cluster/target-nodes.js'
import { latency } from './latency.js'
import { durationSchema, targetSchema } from './options.js'

export interface SlowFollowerOptions extends HookOptions {
  readonly node: Target
  /**
   * `pause` (default): it is paused again and again. `cpu`: it gets little CPU time. `latency`: what it and the other
   * nodes send each other is delayed.
   */
  readonly by?: By | undefined
  /** With `pause`: how long it is paused each time, and runs in between. Default 400 ms and 100 ms. */
  readonly paused?: Duration | undefined
  readonly running?: Duration | undefined
  /** With `cpu`: how many CPUs it gets. Default 0.05, a twentieth of one. */
  readonly cpus?: number | undefined
  /** With `latency`: how long everything is held. Default 150 ms. */
  readonly delay?: Duration | undefined
  /** How far the node is behind, such as entries of the log; must grow for the fault to count. */
  readonly lag?: NodeHook<number> | undefined
}

/** What makes a follower slow. */
type By = 'pause' | 'cpu' | 'latency'

/** Options that mean something for one of them only. */
const goesWith = { paused: 'pause', running: 'pause', cpus: 'cpu', delay: 'latency' } as const

const options: z.ZodType<SlowFollowerOptions> = z
  .strictObject({
    node: targetSchema,
    by: z.enum(['pause', 'cpu', 'latency']).optional(),
    paused: durationSchema.optional(),
    running: durationSchema.optional(),
    cpus: z.number().min(0.01).max(64).optional(),
    delay: durationSchema.optional(),
    lag: hookSchema.optional(),
    ...hookFields,
  })
  .superRefine((given, context) => {
    for (const [name, by] of Object.entries(goesWith) as [keyof typeof goesWith, By][]) {
      if (given[name] === undefined || (given.by ?? 'pause') === by) continue
      context.addIssue({ code: 'custom', path: [name], message: `goes with by: '${by}'` })
    }
  })

/**
 * A follower that is up and falls behind.
 *
 * Landed when the mechanism was seen at work, on a node or on its links, and a victim shows it: clients of the node that
 * wait, or a lag whose usual height is above any before the fault. With `lag` the lag must be.
 */
export const slowFollower: FaultDefinition<SlowFollowerOptions> = {
  name: 'slow-follower',
  category: 'cluster',
  needs: ['lifecycle'],
  options,
  async inject(context, given) {
    const nodes = await targetNodes(context, given.node, 'slow-follower')
    if (given.lag === undefined) return slowDown(context, nodes, given)
    const hooks = new Hooks(context, {
      fault: 'slow-follower',
      hookTimeout: given.hookTimeout,
    })
    const lag = await Lag.before(context, { hooks, call: given.lag, nodes })
    const slow = await slowDown(context, nodes, given)
    lag.watch()
    return {
      ...slow,
      evidence: async () => [...(await slow.evidence()), ...lag.read()],
      objection: () => slow.objection?.() ?? lag.steady(),
      async heal() {
        await lag.stop()
        return [...(await slow.heal()), ...(await lag.readHealed())]
      },
    }
  },
}

function slowDown(
  context: InjectContext,
  nodes: readonly string[],
  { by, paused, running, cpus, delay }: SlowFollowerOptions,
): Promise<Injection> {
  if (by === 'latency') {
    // Not in `needs`, as pauses do without. A system that offers no network throws the EnvironmentError that says so.
    void context.network.delay
    return latency.inject(context, { between: [nodes, 'others'], delay: delay ?? '150ms' })
  }
  if (by === 'cpu') return slowByCpu(context, nodes, cpus ?? 0.05)
  return slowByPauses(context, nodes, {
    pausedMs: milliseconds(paused ?? '400ms', 'paused'),
    runningMs: milliseconds(running ?? '100ms', 'running'),
  })
}
