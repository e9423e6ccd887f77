import type { FaultWindow } from '../nemesis/evidence.js'
import { exposure, judgeLanding } from '../nemesis/exposure.js'
import type { FaultContext, Nemesis } from '../nemesis/fault.js'
import { inject, type ActiveFault } from '../nemesis/inject.js'
import { resolveTarget } from '../nemesis/resolve.js'
import { runSchedule } from '../nemesis/schedule.js'
import { absent } from '../systems/absent.js'
import type { Exec, Lifecycle, Network, NodeClocks, Storage } from '../systems/capabilities.js'
import type { SystemNode } from '../systems/system.js'
import { rolesOf } from './roles.js'
import type { System } from './spec.js'
import type { Pass } from './setup.js'

/** How a node is asked for its time, where the system says so. */
function readClockOf({ spec }: System, nodes: readonly SystemNode[]): Pick<FaultContext, 'readClock'> {
  if (spec.clock === undefined) return {}
  const byName = new Map(nodes.map((node) => [node.name, node]))
  return { readClock: async (name) => (await spec.clock?.(byName.get(name) as SystemNode)) as number }
}

/** The faults of one pass: the scheduled ones, and those that a body injects by hand. */
export class PassFaults {
  readonly #pass: Pass
  readonly #injected: ActiveFault[] = []
  readonly #open = new Map<string, string>()
  #byHand = 0

  constructor(pass: Pass) {
    this.#pass = pass
  }

  /** Fires the declared faults at their times; resolves when the last of them is healed. */
  async schedule(signal: AbortSignal): Promise<void> {
    const { spec, durationMs } = this.#pass.input
    await runSchedule(spec.nemesis ?? [], this.#context('scheduled', signal), {
      durationMs,
      signal,
      onInjected: (fault) => this.#injected.push(fault),
      ...this.#windowHooks(),
    })
  }

  /** Injects one fault now; resolves when its landing is decided. */
  async inject(nemesis: Nemesis, signal: AbortSignal): Promise<ActiveFault> {
    const scheduled = this.#pass.input.spec.nemesis?.length ?? 0
    const id = `F${scheduled + ++this.#byHand}`
    const fault = await inject(nemesis, this.#context(id, signal), { id, ...this.#windowHooks() })
    this.#injected.push(fault)
    return fault
  }

  /** Heals what is still in place, the last one first. Throws the first error after all have been tried. */
  async healAll(): Promise<void> {
    const errors: unknown[] = []
    for (const fault of this.#injected.toReversed()) {
      await fault.heal().catch((error: unknown) => errors.push(error))
    }
    if (errors.length > 0) throw errors[0]
  }

  /** Faults that are in place, such as `F1 partition`. */
  get active(): readonly string[] {
    return [...this.#open.values()]
  }

  /** Every window as it counts, in order of injection: a fault that no operation met has not landed. */
  windows(): readonly FaultWindow[] {
    const { recorder } = this.#pass
    const operations = recorder.operations()
    return this.#injected
      .toSorted((a, b) => a.window.injected_ts - b.window.injected_ts)
      .map(({ window, affects }) =>
        judgeLanding({
          ...window,
          exposure: exposure(window, affects, operations, (process) => recorder.nodeOf(process)),
        }),
      )
  }

  #windowHooks() {
    const { recorder, input } = this.#pass
    return {
      onOpen: (window: FaultWindow) => {
        this.#open.set(window.id, `${window.id} ${window.fault}`)
        recorder.openWindow(window.id)
        input.log(`${window.id} ${window.fault} goes in`)
      },
      onClose: (window: FaultWindow) => {
        this.#open.delete(window.id)
        recorder.closeWindow(window.id)
        const ended = window.landed ? 'landed and is healed' : `did not land: ${window.cause}`
        input.log(`${window.id} ${window.fault} ${window.target} ${ended}`)
      },
    }
  }

  /** `draws` names the stream of random targets: the same seed draws the same ones for each fault. */
  #context(draws: string, signal: AbortSignal): FaultContext {
    const { running, clock, journal, recorder, random, input } = this.#pass
    const nodes = running.nodes.map((node) => node.name)
    const roles = rolesOf(input.spec.system, running.nodes)
    const { kind } = input.spec.system.spec.nodes
    const draw = random.fork('targets').fork(draws)
    return {
      clock,
      journal,
      nodes,
      signal,
      lifecycle: running.lifecycle ?? absent<Lifecycle>('lifecycle', kind, {}),
      network: running.network ?? absent<Network>('network', kind, { links: [] }),
      storage: running.storage ?? absent<Storage>('storage', kind, {}),
      clocks: running.clock ?? absent<NodeClocks>('clock', kind, {}),
      exec: running.exec ?? absent<Exec>('exec', kind, {}),
      activity: (node, since) => recorder.activity(node, since),
      ...readClockOf(input.spec.system, running.nodes),
      resolve: (target, apart = []) => resolveTarget(target, { nodes, roles, random: draw, apart, signal }),
    }
  }
}
