import { FaultError } from '../../errors.js'
import type { Evidence } from '../evidence.js'
import type { FaultContext } from '../fault.js'
import { becomes } from '../../time/wait.js'
import { describeState } from './process-evidence.js'
import { probe } from './probe.js'
import type { ProcessTarget } from './process-target.js'

/** How long a node may take to answer its first probe after it was started again. */
const answerWithinMs = 5_000

/** Starts nodes that have ended and shows that they run and answer again. Nodes that run already are left alone. */
export async function revive(
  context: FaultContext,
  targets: readonly ProcessTarget[],
): Promise<readonly Evidence[]> {
  const revived = await Promise.all(targets.map((target) => reviveOne(context, target.node)))
  return revived.flat()
}

async function reviveOne(context: FaultContext, node: string): Promise<readonly Evidence[]> {
  const before = await context.lifecycle.state(node)
  const probeBefore = await probe(context, node)
  if (before.status === 'exited') await context.lifecycle.start(node)
  let answer: string | null = null
  let after = before
  await becomes(
    async () => {
      answer = await probe(context, node)
      after = await context.lifecycle.state(node)
      return after.status === 'exited' || (answer !== 'refused' && answer !== 'silent')
    },
    { withinMs: answerWithinMs },
  )
  if (after.status !== 'running') {
    throw new FaultError(
      'heal',
      `${node} did not stay up after it was started again: ${describeState(after)}`,
      {
        hint: `read the log of ${node}`,
      },
    )
  }
  const at = context.clock.now()
  return [
    {
      side: 'injector',
      subject: node,
      signal: 'process state',
      before: describeState(before),
      after: describeState(after),
      at,
    },
    { side: 'victim', subject: node, signal: 'connect to its port', before: probeBefore, after: answer, at },
  ]
}
