import type { Evidence } from '../../evidence.js'
import type { InjectContext, Injection, Target } from '../../fault.js'
import { affectedBy } from '../affected.js'
import { describeState } from '../process-evidence.js'
import { processTargets, type ProcessTarget } from '../process-target.js'
import { DutyCycle, type DutyCycleOptions } from './duty-cycle.js'

/** Pauses are counted before the fault counts as landed: one alone is a hiccup. */
const pausesNeeded = 3

/**
 * Slows nodes down by pausing them again and again.
 *
 * Injector side: pauses that the engine or kernel reported, and the share of the time. The victim's side is left to
 * clients here, and to a reading of the lag that the caller adds.
 */
export async function slowByPauses(
  context: InjectContext,
  node: Target,
  options: DutyCycleOptions,
): Promise<Injection> {
  const targets = await processTargets(context, node, 'slow-follower')
  context.injecting()
  const since = context.clock.now()
  const cycles = targets.map((target) => ({ target, cycle: new DutyCycle(context, target.node, options) }))
  const row = (node: string, signal: string, after: number): Evidence => ({
    side: 'injector',
    subject: node,
    signal,
    before: 0,
    after,
    at: context.clock.now(),
  })
  return {
    target: targets.map((target) => target.node).join(', '),
    mechanism: `${context.lifecycle.mechanism}; paused ${options.pausedMs} ms, running ${options.runningMs} ms, again and again`,
    affects: affectedBy(context, targets),
    evidence: async () =>
      cycles.flatMap(({ target, cycle }) => [
        row(target.node, 'pauses', cycle.pauses),
        row(target.node, 'time that it was paused (%)', cycle.pausedShare),
        ...target.clients(since),
      ]),
    objection() {
      const ended = cycles.find(({ cycle }) => cycle.trouble !== null)
      if (ended !== undefined) return `it came to an end on ${ended.target.node}: ${ended.cycle.trouble}`
      const few = cycles.find(({ cycle }) => cycle.pauses < pausesNeeded)
      return few === undefined ? null : `${few.target.node} was paused ${few.cycle.pauses} times so far`
    },
    lost: async () => cycles.find(({ cycle }) => cycle.trouble !== null)?.cycle.trouble ?? null,
    async heal() {
      return Promise.all(cycles.map((one) => stopCycle(context, one)))
    },
  }
}

async function stopCycle(
  context: InjectContext,
  { target, cycle }: { target: ProcessTarget; cycle: DutyCycle },
): Promise<Evidence> {
  await cycle.stop()
  const after = await context.lifecycle.state(target.node)
  return {
    side: 'injector',
    subject: target.node,
    signal: 'process state',
    before: `paused again and again, ${cycle.pauses} times`,
    after: describeState(after),
    at: context.clock.now(),
  }
}
