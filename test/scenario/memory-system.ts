import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Lifecycle, NodeState } from '../../src/systems/capabilities.js'
import type { Missing, NodeProvider, SystemNode } from '../../src/systems/system.js'

export interface MemoryNode {
  readonly name: string
  status: NodeState['status']
  starts: number
  readonly values: Map<string, unknown>
}

export interface MemoryOptions {
  readonly missing?: readonly Missing[]
  readonly startError?: Error
  /** Answers reads with the value before the last one. */
  readonly stale?: boolean
}

/** Nodes in this process that share one map; a node that is killed refuses clients. Counts what is started and stopped. */
export class MemorySystem {
  readonly nodes: MemoryNode[]
  readonly #options: MemoryOptions
  started = 0
  stopped = 0

  constructor(count: number, options: MemoryOptions = {}) {
    const values = new Map<string, unknown>()
    this.nodes = Array.from({ length: count }, (_, index) => ({
      name: `n${index + 1}`,
      status: 'running',
      starts: 1,
      values,
    }))
    this.#options = options
  }

  provider(): NodeProvider {
    const { missing = [], startError } = this.#options
    return {
      kind: 'memory',
      count: this.nodes.length,
      missing: () => Promise.resolve(missing),
      start: async ({ logsDir }) => {
        if (startError !== undefined) throw startError
        // Its nodes have nothing to say.
        for (const { name } of this.nodes) writeFileSync(join(logsDir, `${name}.log`), '')
        this.started += 1
        for (const node of this.nodes) {
          node.values.clear()
          node.status = 'running'
        }
        return {
          nodes: this.nodes.map((node, index): SystemNode => ({
            name: node.name,
            index,
            address: () => ({ host: node.name, port: 1 }),
          })),
          lifecycle: this.#lifecycle(),
          network: null,
          storage: null,
          clock: null,
          exec: null,
          stop: () => Promise.resolve(void (this.stopped += 1)),
        }
      },
    }
  }

  client(name: string): MemoryClient {
    return new MemoryClient(this.#node(name), this.#options.stale ?? false)
  }

  #node(name: string): MemoryNode {
    const node = this.nodes.find((candidate) => candidate.name === name)
    if (node === undefined) throw new Error(`no node ${name}`)
    return node
  }

  #lifecycle(): Lifecycle {
    const set = (status: NodeState['status']) => (name: string) => {
      const node = this.#node(name)
      node.status = status
      if (status === 'running') node.starts += 1
      return Promise.resolve()
    }
    return {
      mechanism: 'in memory',
      kill: set('exited'),
      stop: set('exited'),
      pause: set('paused'),
      resume: set('running'),
      start: set('running'),
      state: (name) => {
        const { status, starts } = this.#node(name)
        const exited = status === 'exited'
        return Promise.resolve({
          status,
          pid: exited ? null : starts,
          startedAt: String(starts),
          exitCode: exited ? 137 : null,
          exitSignal: exited ? 'SIGKILL' : null,
          cpuMs: null,
        })
      },
      probe: (name) => Promise.resolve(this.#node(name).status === 'running' ? 'answers' : 'refused'),
    }
  }
}

/** A client of one node. A read takes a turn of the event loop, as over a network. */
export class MemoryClient {
  readonly #node: MemoryNode
  readonly #stale: boolean
  closed = false

  constructor(node: MemoryNode, stale: boolean) {
    this.#node = node
    this.#stale = stale
  }

  async put(key: string, value: unknown): Promise<void> {
    await this.#answering()
    this.#node.values.set(`before ${key}`, this.#node.values.get(key) ?? null)
    this.#node.values.set(key, value)
  }

  async get(key: string): Promise<unknown> {
    await this.#answering()
    return this.#node.values.get(this.#stale ? `before ${key}` : key) ?? null
  }

  close(): void {
    this.closed = true
  }

  async #answering(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 1))
    if (this.#node.status !== 'running') throw new Error(`${this.#node.name} refused`)
  }
}
