import {
  linkName,
  type BlockOptions,
  type Lifecycle,
  type Link,
  type LinkCounter,
  type Network,
  type NetworkRule,
  type NodeState,
} from '../../src/systems/capabilities.js'
import { absentOthers } from './absent-others.js'
import { startClock } from '../../src/history/clock.js'
import type { FaultContext, NodeActivity } from '../../src/nemesis/fault.js'
import { resolveTarget, type RoleFinder } from '../../src/nemesis/resolve.js'
import type { UndoJournal } from '../../src/nemesis/undo/journal.js'
import { Random } from '../../src/random/random.js'

/** Nodes that do as they are told. `log` holds the calls in order. */
export class FakeLifecycle implements Lifecycle {
  readonly mechanism = 'fake'
  readonly log: string[] = []
  readonly states = new Map<string, NodeState>()
  /** What `kill` and `stop` leave behind. */
  exit: Pick<NodeState, 'exitCode' | 'exitSignal'> | null = null
  /** Nodes that cannot be killed. */
  readonly immortal = new Set<string>()
  /** Nodes that do not stay up when they are started. */
  readonly doomed = new Set<string>()
  #starts = 0

  constructor(nodes: readonly string[]) {
    for (const node of nodes) this.states.set(node, this.#running())
  }

  #running(): NodeState {
    this.#starts += 1
    return {
      status: 'running',
      pid: this.#starts,
      startedAt: `start ${this.#starts}`,
      exitCode: null,
      exitSignal: null,
      cpuMs: null,
    }
  }

  #change(node: string, change: Partial<NodeState>): void {
    this.states.set(node, { ...(this.states.get(node) as NodeState), ...change })
  }

  async kill(node: string): Promise<void> {
    this.log.push(`kill ${node}`)
    if (this.immortal.has(node)) throw new Error(`${node} cannot be killed`)
    this.#change(node, {
      status: 'exited',
      pid: null,
      ...(this.exit ?? { exitCode: null, exitSignal: 'SIGKILL' }),
    })
  }

  async stop(node: string): Promise<void> {
    this.log.push(`stop ${node}`)
    this.#change(node, { status: 'exited', pid: null, ...(this.exit ?? { exitCode: 0, exitSignal: null }) })
  }

  async pause(node: string): Promise<void> {
    this.log.push(`pause ${node}`)
    this.#change(node, { status: 'paused' })
  }

  async resume(node: string): Promise<void> {
    this.log.push(`resume ${node}`)
    this.#change(node, { status: 'running' })
  }

  async start(node: string): Promise<void> {
    this.log.push(`start ${node}`)
    if (this.doomed.has(node)) this.#change(node, { status: 'exited', exitCode: 1, exitSignal: null })
    else this.states.set(node, this.#running())
  }

  async state(node: string): Promise<NodeState> {
    return this.states.get(node) as NodeState
  }

  async probe(node: string): Promise<'answers' | 'refused' | 'silent'> {
    return this.states.get(node)?.status === 'exited' ? 'refused' : 'answers'
  }
}

interface FakeRule extends NetworkRule {
  readonly kind: 'drop' | 'reject' | 'delay' | 'lose' | 'limit' | 'watch'
  readonly links: readonly Link[]
  count(link: Link): void
}

/** A full mesh, clients included. Traffic is what `send` says. */
export class FakeNetwork implements Network {
  readonly links: readonly Link[]
  readonly log: string[] = []
  readonly rules: FakeRule[] = []
  bypasses: string[] = []
  /** Links on which rules do not work. */
  readonly leaks = new Set<string>()
  /** What nodes suffer, by `node`. */
  readonly suffering = new Map<string, number>()
  sticky = false
  /** Rules are where no traffic meets them; those that only watch are not. */
  misplaced = false
  /** Why rules are not in place any more. */
  gone: string | null = null
  /** What happens between one reading of counters and the next, however little time that is: `send` what flows. */
  meanwhile: () => void = () => {}
  /** How blocks were asked for. */
  readonly options: BlockOptions[] = []

  constructor(nodes: readonly string[]) {
    const ends = [...nodes, 'clients']
    this.links = ends.flatMap((from) => ends.filter((to) => to !== from).map((to) => ({ from, to })))
  }

  send(from: string, to: string): void {
    for (const rule of this.rules) rule.count({ from, to })
  }

  async block(
    links: readonly Link[],
    mode: 'drop' | 'reject',
    options: BlockOptions = {},
  ): Promise<NetworkRule> {
    this.options.push(options)
    return this.#put(mode, links)
  }

  async lose(links: readonly Link[]): Promise<NetworkRule> {
    return this.#put('lose', links)
  }

  async limit(links: readonly Link[], bitsPerSecond: number): Promise<NetworkRule> {
    this.log.push(`limit ${bitsPerSecond}`)
    return this.#put('limit', links)
  }

  async delay(links: readonly Link[], delayMs: number, jitterMs: number): Promise<NetworkRule> {
    this.log.push(`delay ${delayMs} ${jitterMs}`)
    return this.#put('delay', links)
  }

  async watch(links: readonly Link[]): Promise<NetworkRule> {
    return this.#put('watch', links)
  }

  #put(kind: FakeRule['kind'], links: readonly Link[]): NetworkRule {
    const counters = new Map<string, { met: number; passed: number }>(
      links.map((link) => [linkName(link), { met: 0, passed: 0 }]),
    )
    this.log.push(`put ${kind} ${links.map(linkName).join(' ')}`)
    const rule: FakeRule = {
      mechanism: 'fake rule',
      kind,
      links,
      count: (link) => {
        const counter = counters.get(linkName(link))
        if (counter === undefined || (this.misplaced && kind !== 'watch')) return
        if (kind === 'watch' || this.leaks.has(linkName(link))) counter.passed += 1
        else counter.met += 1
      },
      counters: async (): Promise<LinkCounter[]> => {
        this.meanwhile()
        return links.map((link) => ({
          link,
          ...(counters.get(linkName(link)) as { met: number; passed: number }),
        }))
      },
      victims: async () =>
        [...this.suffering].map(([node, value]) => ({ node, signal: 'retransmissions', value })),
      bypasses: async () => this.bypasses,
      lost: async () => this.gone,
      remove: async () => {
        this.log.push(`remove ${kind}`)
        if (!this.sticky)
          this.rules.splice(0, this.rules.length, ...this.rules.filter((other) => other !== rule))
      },
      present: async () => this.rules.includes(rule),
    }
    this.rules.push(rule)
    return rule
  }
}

export const quiet: NodeActivity = { ok: 0, failed: 0, unknown: 0, oldestWaitMs: 0 }

export interface FakeRun {
  readonly context: FaultContext
  readonly lifecycle: FakeLifecycle
  readonly network: FakeNetwork
  /** What clients see of a node after the fault; before it all is well. */
  readonly activity: Map<string, NodeActivity>
  readonly abort: AbortController
}

const noJournal: UndoJournal = { open: async () => '', close: async () => {} }

/** A run on fakes with nodes n1, n2, n3 and a leader n1, unless told otherwise. */
export function fakeRun(
  options: { nodes?: readonly string[]; roles?: Record<string, RoleFinder>; seed?: number } = {},
): FakeRun {
  const nodes = options.nodes ?? ['n1', 'n2', 'n3']
  const lifecycle = new FakeLifecycle(nodes)
  const network = new FakeNetwork(nodes)
  const activity = new Map<string, NodeActivity>()
  const abort = new AbortController()
  const random = new Random(options.seed ?? 1)
  const roles = options.roles ?? { leader: async () => ['n1'] }
  const clock = startClock()
  const context: FaultContext = {
    clock,
    lifecycle,
    network,
    ...absentOthers('fake'),
    nodes,
    journal: noJournal,
    activity: (node, since) =>
      since > 0 && network.rules.length + lifecycle.log.length > 0 ? (activity.get(node) ?? quiet) : quiet,
    resolve: (target, apart) =>
      resolveTarget(target, { nodes, roles, random, roleWithinMs: 300, ...(apart ? { apart } : {}) }),
    signal: abort.signal,
  }
  return { context, lifecycle, network, activity, abort }
}
