import { setTimeout as sleep } from 'node:timers/promises'
import { SystemError } from '../../errors.js'
import type { UndoJournal } from '../../nemesis/undo/journal.js'
import { limitProcesses } from '../cpu/limit-processes.js'
import type { OwnPorts } from '../proxy/own-ports.js'
import type { CpuLimit, Lifecycle, NodeState } from '../capabilities.js'
import { dial, type Dialled } from '../proxy/dial.js'
import type { Address } from '../system.js'
import type { NodeProcess } from './node-process.js'
import { groupMembers } from './process-group.js'

/** A node with the real address that shows whether it serves. */
export interface Member {
  readonly process: NodeProcess
  readonly address: Address
}

/** A node that lives this long without listening is taken as started; the system's `ready` says when it serves. */
const launchWindowMs = 5_000
const launchPollMs = 20
const dialTimeoutMs = 1_000

/**
 * Starting and ending nodes by signals to their process groups.
 *
 * Calls for one node are carried out one after the other. `kill` and `stop` of a node that has ended, `start` of one
 * that runs and `resume` of one that is not paused do nothing. `probe` reaches the real address, round the fault proxy;
 * as the kernel accepts connections for a paused node too, `answers` says no more than that something listens.
 */
export class ProcessLifecycle implements Lifecycle {
  readonly mechanism = 'signals to the process group'
  readonly #members: ReadonlyMap<string, Member>
  readonly #own: OwnPorts
  readonly #journal: UndoJournal
  readonly #onServes: (node: string) => Promise<void>
  readonly #queues = new Map<string, Promise<unknown>>()
  #closed = false

  /** `onServes` is awaited whenever a node that was started listens. */
  constructor(
    members: ReadonlyMap<string, Member>,
    options: {
      readonly own: OwnPorts
      readonly journal: UndoJournal
      readonly onServes: (node: string) => Promise<void>
    },
  ) {
    this.#members = members
    this.#own = options.own
    this.#journal = options.journal
    this.#onServes = options.onServes
  }

  kill(node: string): Promise<void> {
    return this.#inTurn(node, ({ process }) => process.kill())
  }

  stop(node: string, graceMs: number): Promise<void> {
    return this.#inTurn(node, ({ process }) => process.stop(graceMs))
  }

  pause(node: string): Promise<void> {
    return this.#inTurn(node, ({ process }) => process.pause())
  }

  resume(node: string): Promise<void> {
    return this.#inTurn(node, ({ process }) => process.resume())
  }

  /**
   * Resolves when the node listens on its first declared port, or after 5 s without that. Throws SystemError with
   * exit code and last log lines when it ends before.
   */
  start(node: string): Promise<void> {
    return this.#inTurn(node, (member) => this.#launch(node, member))
  }

  async state(node: string): Promise<NodeState> {
    return this.#member(node).process.state()
  }

  /** Needs root, and Linux with control groups for CPU time. */
  limitCpu(node: string, cpus: number): Promise<CpuLimit> {
    const { process } = this.#member(node)
    return limitProcesses({
      node,
      cpus,
      journal: this.#journal,
      pids: async () => {
        const { pid } = await process.state()
        if (pid === null) return []
        const members = (await groupMembers(pid)).map((member) => member.pid)
        return [pid, ...members.filter((member) => member !== pid)]
      },
    })
  }

  async probe(node: string, timeoutMs: number): Promise<Dialled> {
    return dial(this.#member(node).address, timeoutMs, this.#own)
  }

  /** Ends every node for good. */
  async close(graceMs: number): Promise<void> {
    this.#closed = true
    const endings = await Promise.allSettled(
      [...this.#members.keys()].map((node) => this.stop(node, graceMs)),
    )
    const failed = endings.find((ending) => ending.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }

  async #launch(node: string, { process, address }: Member): Promise<void> {
    if (this.#closed) {
      throw new SystemError('stopped', `node ${node} cannot be started: the system has been stopped`, {
        hint: 'start nodes only while the scenario runs',
      })
    }
    if (process.running) return
    await process.spawn()
    const deadline = Date.now() + launchWindowMs
    while (process.running && Date.now() < deadline) {
      if ((await dial(address, dialTimeoutMs, this.#own)) === 'answers') {
        await this.#onServes(node)
        break
      }
      await sleep(launchPollMs)
    }
    await process.assertAlive()
  }

  async #inTurn(node: string, act: (member: Member) => Promise<void>): Promise<void> {
    const member = this.#member(node)
    const previous = this.#queues.get(node) ?? Promise.resolve()
    // The caller of the previous call has its error; it is no reason not to carry out this one.
    const turn = previous.catch(() => undefined).then(() => act(member))
    this.#queues.set(node, turn)
    return turn
  }

  #member(node: string): Member {
    const member = this.#members.get(node)
    if (member !== undefined) return member
    throw new SystemError('unknown-node', `there is no node '${node}'`, {
      hint: `the nodes are ${[...this.#members.keys()].join(', ')}`,
    })
  }
}
