import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { startClock } from '../../src/history/clock.js'
import type { Undo, UndoJournal } from '../../src/nemesis/undo/journal.js'
import { processes } from '../../src/systems/process/processes.js'
import type { ProcessesOptions } from '../../src/systems/process/options.js'
import type { Lifecycle, Network } from '../../src/systems/capabilities.js'
import type { LaunchContext, RunningSystem, SystemNode } from '../../src/systems/system.js'

const server = fileURLToPath(new URL('../fixtures/systems/line-server.mjs', import.meta.url))

/** A journal in memory that remembers the order of what was opened and closed. */
export class MemoryJournal implements UndoJournal {
  readonly open_ = new Map<string, Undo>()
  readonly all: Undo[] = []

  async open(undo: Undo): Promise<string> {
    const id = String(this.all.length)
    this.all.push(undo)
    this.open_.set(id, undo)
    return id
  }

  async close(id: string): Promise<void> {
    if (!this.open_.delete(id)) throw new Error(`journal entry ${id} closed twice`)
  }
}

export interface Started {
  readonly running: RunningSystem
  readonly lifecycle: Lifecycle
  readonly network: Network
  readonly nodes: readonly SystemNode[]
  readonly journal: MemoryJournal
  readonly logsDir: string
  readonly runId: string
  /** What each node was told at its launch. */
  readonly launches: readonly LaunchContext[]
}

/** Starts line servers and stops them when the test ends. */
export async function startLineServers(
  options: Partial<ProcessesOptions> & {
    readonly env?: (launch: LaunchContext) => Record<string, string>
  } = {},
): Promise<Started> {
  const journal = new MemoryJournal()
  const logsDir = await mkdtemp(join(tmpdir(), 'nemesis-test-'))
  onTestFinished(() => rm(logsDir, { recursive: true, force: true }))
  const launches: LaunchContext[] = []
  const runId = `test-${process.pid}-${Math.random().toString(36).slice(2)}`
  const running = await processes({
    command: [process.execPath, server],
    count: 1,
    ports: [7000],
    ...options,
    env: (launch) => {
      launches.push(launch)
      return {
        NODE: launch.name,
        HOST: launch.self(7000).host,
        PORT: String(launch.listen(7000)),
        DATA: launch.dataDir,
        ...options.env?.(launch),
      }
    },
  }).start({ runId, logsDir, clock: startClock(), journal, signal: new AbortController().signal })
  onTestFinished(() => running.stop())
  return {
    running,
    lifecycle: running.lifecycle as Lifecycle,
    network: running.network as Network,
    nodes: running.nodes,
    journal,
    logsDir,
    runId,
    launches,
  }
}
