import type { Evidence } from '../evidence.js'
import type { FaultContext } from '../fault.js'
import { probe } from './probe.js'
import { probeEvidence } from './process-evidence.js'
import type { ProcessTarget } from './process-target.js'

/** Stops the node and starts it again, and probes it while it is down. Resolves to what the probe showed. */
export async function cycle(
  context: FaultContext,
  target: ProcessTarget,
  graceMs: number,
): Promise<readonly Evidence[]> {
  await context.lifecycle.stop(target.node, graceMs)
  const answer = await probe(context, target.node)
  const at = context.clock.now()
  await context.lifecycle.start(target.node)
  return probeEvidence(target, answer, { signal: 'connect to its port while it was down', at })
}

/** When the engine or the kernel says the node was started, before the fault and now. */
export async function startedAgain(context: FaultContext, target: ProcessTarget): Promise<Evidence> {
  const state = await context.lifecycle.state(target.node)
  return {
    side: 'injector',
    subject: target.node,
    signal: 'start time',
    before: target.state.startedAt,
    after: state.startedAt,
    at: context.clock.now(),
  }
}
