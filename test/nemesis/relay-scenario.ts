import { connect, type Socket } from 'node:net'
import { expect } from 'vitest'
import { availability } from '../../src/checkers/index.js'
import { claim } from '../../src/claim/declare.js'
import type { FaultWindow } from '../../src/nemesis/evidence.js'
import type { Nemesis } from '../../src/nemesis/fault.js'
import { runScenario } from '../../src/scenario/run.js'
import type { ScenarioSpec } from '../../src/scenario/spec.js'
import { system } from '../../src/scenario/system.js'
import { createSession } from '../../src/session/session.js'
import type { ScenarioRecord } from '../../src/session/record.js'
import type { Duration } from '../../src/time/duration.js'
import type { NodeProvider, RunningSystem } from '../../src/systems/system.js'
import { workload } from '../../src/workload/index.js'
import { temporaryDirectory } from '../support/temporary.js'

/** The same system, with something about it that is not as it should be. */
export function spoilt(
  provider: NodeProvider,
  spoil: (running: RunningSystem, run: string) => Promise<Partial<RunningSystem>>,
): NodeProvider {
  return {
    ...provider,
    async start(context) {
      const running = await provider.start(context)
      return { ...running, ...(await spoil(running, context.runId)) }
    },
  }
}

export interface OutcomeOptions {
  /** Where a client goes that is given this address of a node. */
  readonly addressOf?: (node: string, at: { host: string; port: number }) => { host: string; port: number }
  /** What clients send. */
  readonly line?: string
  readonly timeout?: Duration
  /** Until when the fault must have been proven. */
  readonly seconds?: number
}

/** Runs a scenario of four seconds, or so many, in which clients ask every node, and every node asks its peers. */
export async function outcome(
  nodes: NodeProvider,
  declared: Nemesis,
  { addressOf = (_, at) => at, line = 'all', timeout = '500ms', seconds = 4 }: OutcomeOptions = {},
): Promise<{
  readonly verdict: ScenarioRecord['ruling']['verdict']
  readonly cause: string | null | undefined
  readonly window: FaultWindow | undefined
}> {
  const sessionDir = await temporaryDirectory()
  await createSession(sessionDir)
  const spec: ScenarioSpec<Socket> = {
    id: 'S1',
    falsifies: [claim('C1', 'It goes on to answer', { categories: ['liveness'] })],
    system: system<Socket>('relays', {
      nodes,
      connect: (node) =>
        new Promise((resolve, reject) => {
          const socket = connect(addressOf(node.name, node.address(7000)))
          socket.once('error', reject)
          socket.once('connect', () => resolve(socket.on('error', () => {})))
        }),
      close: (socket) => void socket.destroy(),
      ready: () => Promise.resolve(true),
      settle: '20s',
    }),
    workload: workload<Socket>({
      clients: 3,
      think: '20ms',
      timeout,
      operations: {
        read: {
          run: ({ client, signal }) =>
            new Promise((resolve, reject) => {
              const settle = (act: () => void) => {
                client.removeAllListeners('data').removeAllListeners('close')
                act()
              }
              client.once('data', (data) => settle(() => resolve(String(data).trim())))
              client.once('close', () => settle(() => reject(new Error('closed'))))
              signal.addEventListener('abort', () => settle(() => reject(new Error('late'))))
              client.write(`${line}\n`)
            }),
        },
      },
    }),
    nemesis: [declared],
    checkers: [availability({ atLeast: 0 })],
    budget: { smoke: { duration: `${seconds}s`, nodes: 1, faults: 0, seeds: 1 } },
  }
  const record = await runScenario(spec, undefined, {
    name: 'relays_answer',
    location: 'relays.scenario.ts:1',
    sessionDir,
    tier: 'smoke',
    signal: new AbortController().signal,
    progress: () => {},
  })
  expect(record.runs[0]?.error ?? null).toBeNull()
  const window = record.runs[0]?.faults[0]
  return { verdict: record.ruling.verdict, cause: window?.cause, window }
}
