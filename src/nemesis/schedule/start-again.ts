import type { Lifecycle } from '../../systems/capabilities.js'
import { messageOf } from '../../errors.js'
import { sleep } from '../../time/sleep.js'

const lookEveryMs = 250

/**
 * Starts nodes that end by themselves, until the signal aborts. A fault may have its effect when it is gone already: a
 * server whose recovery from a crash met failing syncs gives up seconds later. Healing the fault starts a node that has
 * ended by then; this is for those that have not.
 *
 * Resolves to the nodes that it started, or tried to, in words.
 */
export async function startAgain(
  lifecycle: Pick<Lifecycle, 'state' | 'start'>,
  nodes: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const told = new Map<string, string>()
  while (!signal.aborted) {
    for (const node of nodes) {
      try {
        if ((await lifecycle.state(node)).status !== 'exited' || signal.aborted) continue
        await lifecycle.start(node)
        told.set(node, `${node} ended by itself after the heal and was started again`)
      } catch (error) {
        // It may start the next time; when it never does, the system does not get ready, which ends the schedule.
        told.set(node, `${node} ended by itself after the heal and cannot be started: ${messageOf(error)}`)
      }
    }
    await sleep(lookEveryMs, signal)
  }
  return [...told.values()]
}
