import { z } from 'zod'
import { milliseconds, type Duration } from '../../time/duration.js'
import { changed, type FaultDefinition } from '../fault.js'
import { affectedBy } from './affected.js'
import { Hooks } from './cluster/hooks.js'
import { nodesToTake } from './cluster/order.js'
import { roll, rollFields, rollInWords, type RollOptions } from './cluster/roll.js'
import { cycle, startedAgain } from './cycle.js'
import { durationSchema } from './options.js'
import { lackingSide } from './process-evidence.js'
import { processTargets, type ProcessTarget } from './process-target.js'
import { revive } from './revive.js'
import { takeBack } from './take-back.js'

export interface RollingRestartOptions extends RollOptions {
  /** How long a node may take to end by itself before it is killed. Default 10 s. */
  readonly grace?: Duration | undefined
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
  options: z.strictObject({ ...rollFields, grace: durationSchema.optional() }),
  async inject(context, given) {
    const fault = 'rolling-restart'
    const graceMs = milliseconds(given.grace ?? '10s', 'grace')
    const nodes = await nodesToTake(context, given.order)
    const targets = await processTargets(context, nodes, fault)
    const hooks = new Hooks(context, { fault, hookTimeout: given.hookTimeout })
    context.injecting()
    const since = context.clock.now()
    const rolled = await roll(context, given, {
      nodes,
      hooks,
      verb: 'restarted',
      visit: (node) => cycle(context, targets.find((one) => one.node === node) as ProcessTarget, graceMs),
    }).catch((error: unknown) => takeBack(error, () => revive(context, targets)))
    let objection: string | null = null
    return {
      target: nodes.join(', '),
      mechanism: `${context.lifecycle.mechanism}; ${rollInWords(given)}`,
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
