import { z } from 'zod'
import { milliseconds, type Duration } from '../../time/duration.js'
import type { FaultDefinition, Target } from '../fault.js'
import { seconds } from '../../time/wait.js'
import { durationSchema, targetSchema } from './options.js'
import { affectedBy } from './affected.js'
import { allOrNone } from './all-or-none.js'
import { cycle, startedAgain } from './cycle.js'
import { lackingSide } from './process-evidence.js'
import { processTargets } from './process-target.js'
import { revive } from './revive.js'

export interface RestartOptions {
  readonly node: Target
  /** How long the node may take to end by itself before it is killed. Default 10 s. */
  readonly grace?: Duration | undefined
}

/**
 * Stops a node and starts it again at once, with the same address and data. One shot: it ends by itself.
 *
 * Landed when the engine or kernel shows another start time, and the port did not answer in between or clients failed.
 */
export const restart: FaultDefinition<RestartOptions> = {
  name: 'restart',
  category: 'process',
  needs: ['lifecycle'],
  oneShot: true,
  options: z.strictObject({ node: targetSchema, grace: durationSchema.optional() }),
  async inject(context, { node, grace }) {
    const graceMs = milliseconds(grace ?? '10s', 'grace')
    const targets = await processTargets(context, node, 'restart')
    context.injecting()
    const since = context.clock.now()
    const cycled = await allOrNone(
      targets,
      (target) => cycle(context, target, graceMs),
      () => revive(context, targets),
    )
    const inBetween = cycled.flat()
    let objection: string | null = null
    return {
      target: targets.map((target) => target.node).join(', '),
      mechanism: `${context.lifecycle.mechanism}; asked to end, ${seconds(graceMs)} grace, started again`,
      affects: affectedBy(context, targets),
      async evidence() {
        const started = await Promise.all(targets.map((target) => startedAgain(context, target)))
        const evidence = [...started, ...inBetween, ...targets.flatMap((target) => target.clients(since))]
        objection = lackingSide(evidence, targets)
        return evidence
      },
      objection: () => objection,
      heal: () => revive(context, targets),
    }
  },
}
