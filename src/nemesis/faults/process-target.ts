import { FaultError } from '../../errors.js'
import type { NodeState } from '../../systems/capabilities.js'
import type { Evidence } from '../evidence.js'
import { changed, type FaultContext, type Target } from '../fault.js'
import { clients } from '../resolve.js'
import { becomes } from '../wait.js'
import { watchClients, type ClientWatch } from './client-trouble.js'

/** How long a probe waits before it calls a node silent. */
const probeMs = 250
/** An operation that waits this long at a node that has been taken away counts as a sign of it. */
const stallMs = 250
/** How long a node may take to answer its first probe after it was started again. */
const answerWithinMs = 5_000

/** A node about to be faulted, with what was read before. */
export interface ProcessTarget {
  readonly node: string
  readonly state: NodeState
  readonly probe: string | null
  readonly clients: ClientWatch
}

/** Resolves the target and reads each node's baseline. Throws FaultError when one of them is not running. */
export async function processTargets(
  context: FaultContext,
  target: Target,
  fault: string,
): Promise<readonly ProcessTarget[]> {
  const nodes = await context.resolve(target)
  if (nodes.length === 0 || nodes.includes(clients)) {
    throw new FaultError('target', `${fault}: ${JSON.stringify(target)} means no node`, {
      hint: `the system has the nodes ${context.nodes.join(', ')}`,
    })
  }
  return Promise.all(
    nodes.map(async (node) => {
      const state = await context.lifecycle.state(node)
      if (state.status !== 'running') {
        throw new FaultError('target', `${fault}: ${node} is not running: ${describeState(state)}`, {
          hint: 'it ended by itself (see its log), or another fault that overlaps this one has it already',
        })
      }
      return {
        node,
        state,
        probe: await probe(context, node),
        clients: watchClients(context, node, { stallMs }),
      }
    }),
  )
}

/** A probe's answer; null when this node cannot be probed. */
export async function probe(context: FaultContext, node: string): Promise<string | null> {
  try {
    return await context.lifecycle.probe(node, probeMs)
  } catch {
    // A node without a declared port has nothing to connect to; the other victim readings must show the fault then.
    return null
  }
}

/** A probe after the fault as a victim's reading. A node that did not answer before proves nothing by not answering now. */
export function probeEvidence(
  target: ProcessTarget,
  answer: string | null,
  { signal, at }: { signal: string; at: number },
): readonly Evidence[] {
  if (target.probe !== 'answers') return []
  return [{ side: 'victim', subject: target.node, signal, before: target.probe, after: answer, at }]
}

/** `running`, `paused`, `exited by SIGKILL`, `exited with code 137` */
export function describeState(state: NodeState): string {
  if (state.status !== 'exited') return state.status
  return state.exitSignal === null ? `exited with code ${state.exitCode}` : `exited by ${state.exitSignal}`
}

/** True for an end that nothing can delay or catch: signal 9, or the exit code that shells and engines give it. */
export function endedByKill({ exitSignal, exitCode }: NodeState): boolean {
  return exitSignal === 'SIGKILL' || (exitSignal === null && exitCode === 137)
}

/** The first node for which a side is missing, in words; null when each shows the fault on both sides. */
export function lackingSide(evidence: readonly Evidence[], targets: readonly ProcessTarget[]): string | null {
  for (const { node } of targets) {
    const shown = evidence.filter((item) => item.subject === node && changed(item)).map((item) => item.side)
    if (!shown.includes('injector')) return `the engine or kernel does not show it on ${node}`
    if (!shown.includes('victim')) return `nothing that ${node} serves was seen to suffer from it`
  }
  return null
}

/**
 * Nodes whose clients are on the path of a process fault: the nodes themselves, and those with a declared link to or
 * from one of them, as what they replicate or forward goes over that link. Without declared links only the nodes.
 */
export function affectedBy(context: FaultContext, targets: readonly ProcessTarget[]): readonly string[] {
  const hit = new Set(targets.map(({ node }) => node))
  const linked = context.network.links.flatMap(({ from, to }) =>
    hit.has(from) ? [to] : hit.has(to) ? [from] : [],
  )
  return context.nodes.filter((node) => hit.has(node) || linked.includes(node))
}

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
