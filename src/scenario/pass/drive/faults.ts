import type { FaultWindow } from '../../../nemesis/evidence.js'
import { exposure, judgeLanding } from '../../../nemesis/exposure.js'
import type { FaultContext, Nemesis } from '../../../nemesis/fault.js'
import { inject, type ActiveFault } from '../../../nemesis/inject.js'
import { resolveTarget } from '../../../nemesis/resolve.js'
import type { Scheduled } from '../../../nemesis/schedule/record.js'
import { runSchedule } from '../../../nemesis/schedule/run.js'
import { absent } from '../../../systems/absent.js'
import type { Exec, Lifecycle, Network, NodeClocks, Storage } from '../../../systems/capabilities.js'
import type { SystemNode } from '../../../systems/system.js'
import type { Random } from '../../../random/random.js'
import { settleMs } from '../../declaration/limits.js'
import { poll } from '../poll.js'
import { leftOut } from './left-out.js'
import { rolesOf } from './roles.js'
import type { System } from '../../spec.js'
import type { Pass } from '../setup.js'

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
  #scheduled: readonly Scheduled[] = []
  #remarks: readonly string[] = []
  #ids = 0
  #byHand = 0

  constructor(pass: Pass) {
    this.#pass = pass
  }

  /** Fires the declared faults at their times; resolves when the last of them is healed. */
  async schedule(signal: AbortSignal): Promise<void> {
    const { input, random, running } = this.#pass
    const { spec, durationMs } = input
    const context = this.#context(random, signal)
    const played = await runSchedule(spec.nemesis ?? [], context, {
      durationMs,
      signal,
      random: random.fork('faults'),
      nextId: () => this.#nextId(),
      resolve: (target, how) => resolveTarget(target, { ...this.#roles(), ...how, signal }),
      recovered: async (until) => {
        const { ready } = spec.system.spec
        if (ready === undefined) return true
        const timeoutMs = settleMs(spec)
        return (await poll(() => ready(running.nodes), { timeoutMs, signal: until })).done
      },
      onInjected: (fault) => this.#injected.push(fault),
      ...this.#windowHooks(),
    })
    this.#scheduled = played.scheduled
    this.#remarks = played.remarks
  }

  /** Injects one fault now; resolves when its landing is decided. `onPlaced` is called when it is in place. */
  async inject(nemesis: Nemesis, signal: AbortSignal, onPlaced?: () => void): Promise<ActiveFault> {
    const call = this.#byHand++
    const { input, clock } = this.#pass
    if (input.leftOut.has(call)) {
      input.log(`${nemesis.definition.name} is left out`)
      return leftOut(nemesis, clock.now())
    }
    const random = this.#pass.random.fork('targets').fork(`by hand ${call + 1}`)
    const id = () => this.#nextId()
    const hooks = { ...this.#windowHooks(), onPlaced: () => onPlaced?.() }
    const fault = await inject(nemesis, this.#context(random, signal), { id, ...hooks })
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

  /** When the first fault went in, in nanoseconds of the run's clock; null when none did. */
  get firstAt(): number | null {
    if (this.#injected.length === 0) return null
    return Math.min(...this.#injected.map(({ window }) => window.injected_ts))
  }

  /** What came of every declared fault and random schedule. */
  get scheduled(): readonly Scheduled[] {
    return this.#scheduled
  }

  /** What the reader of the report should know of the schedule. */
  get remarks(): readonly string[] {
    return this.#remarks
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

  #nextId(): string {
    return `F${++this.#ids}`
  }

  #roles() {
    const { running, input } = this.#pass
    return {
      nodes: running.nodes.map((node) => node.name),
      roles: rolesOf(input.spec.system, running.nodes),
    }
  }

  /** `random` is where random targets are drawn from. */
  #context(random: Random, signal: AbortSignal): FaultContext {
    const { running, clock, journal, recorder, input } = this.#pass
    const { nodes, roles } = this.#roles()
    const { kind } = input.spec.system.spec.nodes
    return {
      clock,
      journal,
      nodes,
      systemNodes: running.nodes,
      signal,
      lifecycle: running.lifecycle ?? absent<Lifecycle>('lifecycle', kind, {}),
      network: running.network ?? absent<Network>('network', kind, { links: [] }),
      storage: running.storage ?? absent<Storage>('storage', kind, {}),
      clocks: running.clock ?? absent<NodeClocks>('clock', kind, {}),
      exec: running.exec ?? absent<Exec>('exec', kind, {}),
      activity: (node, since) => recorder.activity(node, since),
      seed: input.seed,
      ...readClockOf(input.spec.system, running.nodes),
      resolve: (target, apart = []) => resolveTarget(target, { nodes, roles, random, apart, signal }),
    }
  }
}
