import type { FaultContext } from '../fault.js'
import type { ProcessTarget } from './process-target.js'

/**
 * Nodes whose clients are on the path of a fault of nodes: the nodes themselves, and those with a declared link to or
 * from one of them, as what they replicate or forward goes over that link. Without declared links only the nodes.
 */
export function affectedBy(
  context: FaultContext,
  targets: readonly Pick<ProcessTarget, 'node'>[],
): readonly string[] {
  const hit = new Set(targets.map(({ node }) => node))
  const linked = context.network.links.flatMap(({ from, to }) =>
    hit.has(from) ? [to] : hit.has(to) ? [from] : [],
  )
  return context.nodes.filter((node) => hit.has(node) || linked.includes(node))
}
