import { z } from 'zod'
import { milliseconds, type Duration } from '../../time/duration.js'
import { changed, type FaultDefinition } from '../fault.js'
import { affectedBy } from './affected.js'
import { Hooks } from './cluster/hooks.js'
import { hookTimeoutMs } from './cluster/hook-timeout.js'
import { nodesToTake, orderSchema, type RollOrder } from './cluster/order.js'
import { roll, waitSchema, type Rolled, type RollWait } from './cluster/roll.js'
import { cycle, startedAgain } from './cycle.js'
import { durationSchema } from './options.js'
import { lackingSide } from './process-evidence.js'
import { processTargets, type ProcessTarget } from './process-target.js'
import { revive } from './revive.js'

export interface RollingRestartOptions {
  /** Which node goes when. The usual wrong order is `leader-first`. */
  readonly order: RollOrder
  /** Resolves to true when the node is well again, so that the next one may go. Default `none`: nobody waits. */
  readonly wait?: RollWait | undefined
  /** Time between one node and the next. Default none. */
  readonly pause?: Duration | undefined
  /** How long a node may take to end by itself before it is killed. Default 10 s. */
  readonly grace?: Duration | undefined
  readonly hookTimeout?: Duration | undefined
}

/**
 * Restarts the nodes one after the other, in an order or with a haste that operators are warned of. One shot.
 *
 * Landed when every node was started again in its turn, and its port did not answer in between or clients failed.
 */
export const rollingRestart: FaultDefinition<RollingRestartOptions> = {
  name: 'rolling-restart',
  category: 'cluster',
  oneByOne: true,
  needs: ['lifecycle'],
  oneShot: true,
  options: z.strictObject({
    order: orderSchema,
    wait: waitSchema.optional(),
    pause: durationSchema.optional(),
    grace: durationSchema.optional(),
    hookTimeout: durationSchema.optional(),
  }),
  async inject(context, { order, wait = 'none', pause = 0, grace = '10s', hookTimeout }) {
    const fault = 'rolling-restart'
    const graceMs = milliseconds(grace, 'grace')
    const nodes = await nodesToTake(context, order)
    const targets = await processTargets(context, nodes, fault)
    const hooks = new Hooks(context, { fault, timeoutMs: hookTimeoutMs(hookTimeout) })
    context.injecting()
    const since = context.clock.now()
    let rolled: Rolled
    try {
      rolled = await roll(context, {
        order,
        nodes,
        wait,
        hooks,
        pauseMs: milliseconds(pause, 'pause'),
        verb: 'restarted',
        visit: (node) => cycle(context, targets.find((one) => one.node === node) as ProcessTarget, graceMs),
      })
    } catch (error) {
      await revive(context, targets)
      throw error
    }
    let objection: string | null = null
    return {
      target: nodes.join(', '),
      mechanism: `${context.lifecycle.mechanism}; ${typeof order === 'string' ? order : 'in the order given'}, ${wait === 'none' ? 'waiting for nobody' : 'waiting for each'}`,
      affects: affectedBy(context, targets),
      async evidence() {
        const started = await Promise.all(targets.map((target) => startedAgain(context, target)))
        const evidence = [...rolled.evidence, ...started, ...targets.flatMap((one) => one.clients(since))]
        const missed = started.find((item) => !changed(item))
        objection =
          rolled.stopped ??
          (missed === undefined ? lackingSide(evidence, targets) : `${missed.subject} was not started again`)
        return evidence
      },
      objection: () => objection,
      heal: () => revive(context, targets),
    }
  },
}
