import type { FaultContext } from '../fault.js'

/** How long a probe waits before it calls a node silent. */
const probeMs = 250

/** A probe's answer; null when this node cannot be probed. */
export async function probe(context: FaultContext, node: string): Promise<string | null> {
  try {
    return await context.lifecycle.probe(node, probeMs)
  } catch {
    // A node without a declared port has nothing to connect to; the other victim readings must show the fault then.
    return null
  }
}
