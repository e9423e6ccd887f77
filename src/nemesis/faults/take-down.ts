import type { NodeState } from '../../systems/capabilities.js'
import type { Evidence } from '../evidence.js'
import type { InjectContext, Injection, Target } from '../fault.js'
import { affectedBy } from './affected.js'
import { allOrNone } from './all-or-none.js'
import { probe } from './probe.js'
import { describeState, lackingSide, probeEvidence } from './process-evidence.js'
import { processTargets, type ProcessTarget } from './process-target.js'
import { revive } from './revive.js'

/** How nodes are ended, and what their end must look like. */
export interface TakeDown {
  readonly fault: string
  /** A function is called once the nodes have ended. */
  readonly mechanism: string | (() => string)
  end(node: string): Promise<void>
  /** Why this end is not what the fault promises; null when it is. */
  unlike(node: string, state: NodeState): string | null
  /** What else is known of the end, on the injector's side. */
  readings?(node: string): readonly Pick<Evidence, 'signal' | 'before' | 'after'>[]
}

/** Ends nodes and starts them again on heal. When one cannot be ended, those that were are started again. */
export async function takeDown(context: InjectContext, target: Target, how: TakeDown): Promise<Injection> {
  const targets = await processTargets(context, target, how.fault)
  context.injecting()
  const since = context.clock.now()
  await allOrNone(
    targets,
    ({ node }) => how.end(node),
    () => revive(context, targets),
  )
  let objection: string | null = null
  return {
    target: targets.map(({ node }) => node).join(', '),
    mechanism: typeof how.mechanism === 'string' ? how.mechanism : how.mechanism(),
    affects: affectedBy(context, targets),
    async evidence() {
      const read = await Promise.all(targets.map((one) => readDown(context, one, since, how)))
      const evidence = read.flatMap((one) => one.evidence)
      objection = read.find((one) => one.unlike !== null)?.unlike ?? lackingSide(evidence, targets)
      return evidence
    },
    objection: () => objection,
    lost: () => broughtBack(context, targets),
    heal: () => revive(context, targets),
  }
}

async function readDown(
  context: InjectContext,
  target: ProcessTarget,
  since: number,
  how: TakeDown,
): Promise<{ evidence: readonly Evidence[]; unlike: string | null }> {
  const { node } = target
  const state = await context.lifecycle.state(node)
  const stateAt = context.clock.now()
  const answer = await probe(context, node)
  const evidence: Evidence[] = [
    {
      side: 'injector',
      subject: node,
      signal: 'process state',
      before: describeState(target.state),
      after: describeState(state),
      at: stateAt,
    },
    ...(how.readings?.(node) ?? []).map((reading): Evidence => ({
      side: 'injector',
      subject: node,
      ...reading,
      at: stateAt,
    })),
    ...probeEvidence(target, answer, { signal: 'connect to its port', at: context.clock.now() }),
    ...target.clients(since),
  ]
  return {
    evidence,
    unlike: state.status === 'exited' ? how.unlike(node, state) : startedAnew(target, state),
  }
}

/** Nodes that run again although nobody healed the fault, in words; null when all are down. */
async function broughtBack(
  context: InjectContext,
  targets: readonly ProcessTarget[],
): Promise<string | null> {
  const read = await Promise.all(
    targets.map(async (target) => startedAnew(target, await context.lifecycle.state(target.node))),
  )
  return read.find((words) => words !== null) ?? null
}

function startedAnew({ node, state: before }: ProcessTarget, now: NodeState): string | null {
  if (now.status === 'exited' || now.startedAt === before.startedAt) return null
  return now.restartedBy === undefined
    ? `something else has started ${node} again, such as a restart policy or a supervisor`
    : `${now.restartedBy} has started ${node} again`
}
