import { z } from 'zod'
import { EnvironmentError } from '../../errors.js'
import type { FaultDefinition, Target } from '../fault.js'
import { targetSchema } from './options.js'
import { describeState, endedByKill } from './process-evidence.js'
import { takeDown } from './take-down.js'

export interface PowerLossOptions {
  readonly node: Target
}

/**
 * The power fails: the node ends at once, and what it wrote and did not sync is gone, acknowledged or not.
 *
 * Landed when the disk was shut off, the kernel or engine reports an end by SIGKILL, and the node's port no longer
 * answers, or its clients fail; how many bytes vanished is told beside it, and may be none. Not for a node without a file
 * on its disk. Undone by starting the node
 * again; what has vanished stays so.
 */
export const powerLoss: FaultDefinition<PowerLossOptions> = {
  name: 'power-loss',
  category: 'storage',
  needs: ['lifecycle', 'storage'],
  options: z.strictObject({ node: targetSchema }),
  async inject(context, { node }) {
    const { storage } = context
    const missing = storage.lacks('power-loss')
    if (missing !== null) {
      throw new EnvironmentError(
        missing.what,
        `power-loss cannot be made here: ${missing.what} is missing`,
        missing.hint,
      )
    }
    const lost = new Map<string, Awaited<ReturnType<typeof storage.losePower>>>()
    const elsewhere = new Set<string>()
    return takeDown(context, node, {
      fault: 'power-loss',
      mechanism: () => [...new Set([...lost.values()].map(({ mechanism }) => mechanism))].join('; '),
      async end(name) {
        if ((await storage.files(name)).length === 0) elsewhere.add(name)
        lost.set(name, await storage.losePower(name))
      },
      unlike(name, state) {
        if (elsewhere.has(name)) {
          return `${name} had no file on its disk: what it writes lies elsewhere, where no power was lost`
        }
        return endedByKill(state)
          ? null
          : `${name} ended by itself, not by the power loss: ${describeState(state)}`
      },
      readings: (name) => [
        { signal: 'unsynced bytes that vanished', before: 0, after: lost.get(name)?.lost ?? null },
      ],
    })
  },
}
