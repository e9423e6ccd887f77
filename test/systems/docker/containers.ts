import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startClock } from '../../../src/history/clock.js'
import type { Undo } from '../../../src/nemesis/undo/journal.js'
import { docker, imageFromHost, type DockerOptions } from '../../../src/systems/docker/index.js'
import type { Lifecycle, Network } from '../../../src/systems/capabilities.js'
import type { Address, RunningSystem, SystemNode } from '../../../src/systems/system.js'

const runFile = promisify(execFile)

/** What the tests run: a server that answers every line with itself, from the busybox of this machine. */
export const echoImage = imageFromHost({ tag: 'nemesis-test-echo', binaries: ['busybox'] })
export const echoCommand = ['sh', '-c', 'echo started; exec nc -ll -p 7000 -e cat']

export interface Containers {
  readonly run: string
  readonly logsDir: string
  readonly system: RunningSystem
  readonly lifecycle: Lifecycle
  readonly network: Network
  /** Undo entries that are open. */
  readonly open: ReadonlyMap<string, Undo>
  node(name: string): SystemNode
  /** Runs a program inside a node's container; gives what it printed, whatever its exit code. */
  inside(node: string, ...argv: string[]): Promise<string>
  stop(): Promise<void>
}

let runs = 0

/** A run's name that no other test and no other test process uses. */
export function freshRun(): string {
  runs += 1
  return `test-${process.pid}-${runs}-${Date.now().toString(36)}`
}

/** Starts two echo servers, or what the options say. Whoever calls it stops it. */
export async function startContainers(options: Partial<DockerOptions> = {}): Promise<Containers> {
  const run = freshRun()
  const logsDir = await mkdtemp(join(tmpdir(), 'nemesis-logs-'))
  const open = new Map<string, Undo>()
  let entries = 0
  try {
    const provider = docker({ image: echoImage, count: 2, ports: [7000], command: echoCommand, ...options })
    const system = await provider.start({
      runId: run,
      logsDir,
      clock: startClock(),
      signal: new AbortController().signal,
      journal: {
        async open(undo) {
          entries += 1
          open.set(String(entries), undo)
          return String(entries)
        },
        close: async (id) => void open.delete(id),
      },
    })
    return {
      run,
      logsDir,
      system,
      lifecycle: system.lifecycle as Lifecycle,
      network: system.network as Network,
      open,
      node: (name) => system.nodes.find((node) => node.name === name) as SystemNode,
      inside: (node, ...argv) => cli('exec', `nemesis-${run}-${node}`, ...argv),
      async stop() {
        await system.stop()
        await rm(logsDir, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await rm(logsDir, { recursive: true, force: true })
    throw error
  }
}

/** What the docker command prints, on both channels, whatever its exit code. */
export async function cli(...argv: string[]): Promise<string> {
  const { stdout, stderr } = await runFile('docker', argv, { timeout: 60_000 }).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
  return `${stdout}${stderr}`.trim()
}

/** Everything on the engine that carries the label of the run. */
export function leftOf(run: string): Promise<string[]> {
  return listed(`label=nemesis.run=${run}`)
}

/** Everything on the engine that the runs of this test process have made. */
export function leftOfTests(): Promise<string[]> {
  return listed(`name=nemesis-test-${process.pid}-`)
}

async function listed(condition: string): Promise<string[]> {
  const filter = ['--filter', condition]
  const found = await Promise.all([
    cli('ps', '-aq', ...filter),
    cli('network', 'ls', '-q', ...filter),
    cli('volume', 'ls', '-q', ...filter),
  ])
  return found.flatMap((text) => text.split('\n')).filter((line) => line !== '')
}

/**
 * Sends a line to an echo server and gives what comes back, or the code of the error, or `timeout`. One that refuses is
 * asked again until then, as a server that has just been started does not listen yet.
 */
export async function echo(address: Address, timeoutMs = 20_000): Promise<string> {
  for (const deadline = performance.now() + timeoutMs; ;) {
    const answer = await exchange(address, timeoutMs)
    if (answer !== 'ECONNREFUSED' || performance.now() > deadline) return answer
    await sleep(50)
  }
}

function exchange({ host, port }: Address, timeoutMs: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host, port }, () => socket.write('hello\n'))
    socket.setTimeout(timeoutMs)
    const settle = (answer: string) => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('data', (data) => settle(String(data).trim()))
    socket.on('timeout', () => settle('timeout'))
    socket.on('error', (error: NodeJS.ErrnoException) => settle(error.code ?? 'error'))
    socket.on('end', () => settle('closed'))
  })
}
