import { onTestFinished } from 'vitest'
import { startClock } from '../../../src/history/clock.js'
import type { FaultContext } from '../../../src/nemesis/fault.js'
import { resolveTarget } from '../../../src/nemesis/resolve.js'
import { Random } from '../../../src/random/random.js'
import type { Lifecycle, Network, NodeClocks } from '../../../src/systems/capabilities.js'
import type { RunningSystem, SystemNode } from '../../../src/systems/system.js'
import { openEntries, type OpenEntries } from '../../support/open-entries.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { absentOthers } from '../absent-others.js'
import type { TimedSystem } from './systems.js'
import { httpText } from './told-times.js'

export interface TimedRun {
  readonly system: RunningSystem
  readonly context: FaultContext
  readonly journal: OpenEntries
  /**
   * How far the node's own clock is from the machine's, put off by so much, at any moment between question and answer; at
   * most a second further where the node tells whole seconds.
   */
  offMs(offsetMs: number): Promise<number>
  /** What the node answers to an HTTP request. */
  ask(path: string): Promise<string>
}

const servesWithinMs = 60_000

/** Starts a system of one node, and stops it when the test is over. */
export async function startTimed({ provider, port, told }: TimedSystem): Promise<TimedRun> {
  const journal = openEntries()
  const clock = startClock()
  const signal = new AbortController().signal
  const runId = `clock-${process.pid}-${Date.now().toString(36)}`
  const system = await provider.start({ runId, logsDir: await temporaryDirectory(), clock, journal, signal })
  onTestFinished(() => system.stop())
  const [node] = system.nodes as readonly [SystemNode]
  const readClock = () => told(node.address(port))
  const nodes = [node.name]
  const context: FaultContext = {
    clock,
    journal,
    signal,
    nodes,
    lifecycle: system.lifecycle as Lifecycle,
    network: system.network as Network,
    ...absentOthers('timed'),
    clocks: system.clock as NodeClocks,
    activity: () => ({ ok: 1, failed: 0, unknown: 0, oldestWaitMs: 0 }),
    resolve: (target) => resolveTarget(target, { nodes, roles: {}, random: new Random(1) }),
    readClock,
  }
  for (const deadline = Date.now() + servesWithinMs; ;) {
    try {
      await readClock()
      break
    } catch (error) {
      if (Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  return {
    system,
    context,
    journal,
    async offMs(offsetMs) {
      const askedMs = Date.now()
      const machineMs = (await readClock()) - offsetMs
      return Math.max(0, askedMs - machineMs, machineMs - Date.now())
    },
    ask: (path) => httpText(node.address(port), path),
  }
}
