import { z } from 'zod'
import { milliseconds, type Duration } from '../../time/duration.js'
import type { FaultDefinition, InjectContext, Injection, Target } from '../fault.js'
import { hookSchema, type NodeHook } from './cluster/hook.js'
import { Hooks } from './cluster/hooks.js'
import { hookTimeoutMs } from './cluster/hook-timeout.js'
import { Lag } from './cluster/lag.js'
import { slowByPauses } from './cluster/slow-by-pauses.js'
import { targetNodes } from './cluster/target-nodes.js'
import { latency } from './latency.js'
import { durationSchema, targetSchema } from './options.js'

export interface SlowFollowerOptions {
  readonly node: Target
  /** `pause` (default): it is paused again and again. `latency`: what it and the other nodes send each other is delayed. */
  readonly by?: 'pause' | 'latency' | undefined
  /** With `pause`: how long it is paused each time, and runs in between. Default 400 ms and 100 ms. */
  readonly paused?: Duration | undefined
  readonly running?: Duration | undefined
  /** With `latency`: how long everything is held. Default 150 ms. */
  readonly delay?: Duration | undefined
  /** How far the node is behind, such as entries of the log; must grow for the fault to count. */
  readonly lag?: NodeHook<number> | undefined
  readonly hookTimeout?: Duration | undefined
}

const options: z.ZodType<SlowFollowerOptions> = z
  .strictObject({
    node: targetSchema,
    by: z.enum(['pause', 'latency']).optional(),
    paused: durationSchema.optional(),
    running: durationSchema.optional(),
    delay: durationSchema.optional(),
    lag: hookSchema.optional(),
    hookTimeout: durationSchema.optional(),
  })
  .superRefine((given, context) => {
    const others = given.by === 'latency' ? (['paused', 'running'] as const) : (['delay'] as const)
    for (const name of others) {
      if (given[name] === undefined) continue
      const by = name === 'delay' ? 'latency' : 'pause'
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
      timeoutMs: hookTimeoutMs(given.hookTimeout),
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
  { by, paused, running, delay }: SlowFollowerOptions,
): Promise<Injection> {
  if (by === 'latency') {
    // Not in `needs`, as pauses do without. A system that offers no network throws the EnvironmentError that says so.
    void context.network.delay
    return latency.inject(context, { between: [nodes, 'others'], delay: delay ?? '150ms' })
  }
  return slowByPauses(context, nodes, {
    pausedMs: milliseconds(paused ?? '400ms', 'paused'),
    runningMs: milliseconds(running ?? '100ms', 'running'),
  })
}
