import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { availability } from '../../src/checkers/index.js'
import { claim } from '../../src/claim/declare.js'
import type { Nemesis } from '../../src/nemesis/fault.js'
import { nemesis } from '../../src/nemesis/nemesis.js'
import { runScenario } from '../../src/scenario/run.js'
import type { ScenarioSpec } from '../../src/scenario/spec.js'
import { system } from '../../src/scenario/system.js'
import { createSession } from '../../src/session/session.js'
import type { ScenarioRecord } from '../../src/session/record.js'
import type { Lifecycle, Network } from '../../src/systems/capabilities.js'
import { engineAt } from '../../src/systems/docker/engine.js'
import { docker, imageFromHost } from '../../src/systems/docker/index.js'
import { chooseEntry } from '../../src/systems/docker/namespace/choose.js'
import { namespacesOfContainers } from '../../src/systems/docker/namespace/of-containers.js'
import { nftRule } from '../../src/systems/netns/rules/nft-rule.js'
import { processes } from '../../src/systems/process/processes.js'
import type { NodeProvider, RunningSystem } from '../../src/systems/system.js'
import { workload } from '../../src/workload/index.js'
import { requires } from '../support/requirements.js'
import { temporaryDirectory } from '../support/temporary.js'

const timeout = 120_000
const server = fileURLToPath(new URL('../fixtures/systems/relay-server.mjs', import.meta.url))

/** The same system, with something about it that is not as it should be. */
function spoilt(
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

const containers = docker({
  image: imageFromHost({
    tag: 'nemesis-test-relay',
    binaries: [process.execPath],
    files: { '/srv/relay-server.mjs': server },
  }),
  count: 3,
  ports: [7000],
  command: [process.execPath, '/srv/relay-server.mjs'],
  env: ({ listen, peers }) => ({ HOST: '0.0.0.0', PORT: String(listen(7000)), PEERS: peers.join(',') }),
})

/** Runs a scenario of two seconds in which clients ask every node, and every node asks its peers. */
async function outcome(
  nodes: NodeProvider,
  declared: Nemesis,
  addressOf: (node: string, proxied: { host: string; port: number }) => { host: string; port: number } = (
    _,
    at,
  ) => at,
): Promise<{ verdict: ScenarioRecord['ruling']['verdict']; cause: string | null | undefined }> {
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
      timeout: '500ms',
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
              client.write('all\n')
            }),
        },
      },
    }),
    nemesis: [declared],
    checkers: [availability({ atLeast: 0 })],
    budget: { smoke: { duration: '4s', nodes: 1, faults: 0, seeds: 1 } },
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
  return { verdict: record.ruling.verdict, cause: record.runs[0]?.faults[0]?.cause }
}

requires(
  'docker',
  'root',
  'nft',
)('a rule that traffic does not meet', () => {
  /** Partitions are made by our own rule, with another text. */
  const misplaced = (change: (script: string) => string) =>
    spoilt(containers, async (running, run) => {
      const engine = await engineAt(null)
      const nodes = await Promise.all(
        running.nodes.map(async ({ name, index, address }) => {
          const { Id: id } = await engine.getContainer(`nemesis-${run}-${name}`).inspect()
          return { name, index, id, ip: address(7000).host }
        }),
      )
      const first = nodes[0]?.id as string
      const entry = await chooseEntry({ engine, run, enter: 'nsenter', helperImage: null }, first)
      const context = {
        nodes,
        namespaces: namespacesOfContainers(engine, null),
        journal: { open: async () => '', close: async () => {} },
        entry: {
          ...entry,
          run: (id: string, argv: readonly string[], stdin?: string) =>
            entry.run(id, argv, stdin === undefined ? stdin : change(stdin)),
        },
      }
      const network: Network = {
        ...(running.network as Network),
        block: (links, mode) => nftRule(context, links, { kind: mode }),
      }
      return { network }
    })
  const isolate = nemesis('partition', { isolate: 'n1', at: '500ms', for: '1s', landWithin: '2s' })
  const wrong =
    /traffic crosses the links and does not meet the rule \(\d+ on n\d->n\d.*, 0 dropped\): the rule is in a chain, or on an interface/

  it('because it is in the wrong chain is no proof, and the cause says so', { timeout }, async () => {
    const { verdict, cause } = await outcome(
      misplaced((script) => script.replaceAll('hook input', 'hook forward')),
      isolate,
    )
    expect(verdict).toBe('INCONCLUSIVE-fault-not-proven')
    expect(cause).toMatch(wrong)
  })

  it('because it is on the wrong interface is no proof, and the cause says so', { timeout }, async () => {
    const { verdict, cause } = await outcome(
      misplaced((script) => script.replaceAll('ip saddr', 'iifname "eth7" ip saddr')),
      isolate,
    )
    expect(verdict).toBe('INCONCLUSIVE-fault-not-proven')
    expect(cause).toMatch(wrong)
  })

  it('because something else took it away later is no proof either', { timeout }, async () => {
    const flushed = spoilt(containers, async (running, run) => {
      const engine = await engineAt(null)
      const network = running.network as Network
      return {
        network: {
          ...network,
          async block(...how: Parameters<Network['block']>) {
            const rule = await network.block(...how)
            return {
              ...rule,
              // Asked when the fault is about to be healed: by then it has landed, and somebody has flushed the rules.
              async lost() {
                const { Id: id } = await engine.getContainer(`nemesis-${run}-n1`).inspect()
                const entry = await chooseEntry({ engine, run, enter: 'nsenter', helperImage: null }, id)
                const tables = await entry.run(id, ['nft', 'list', 'tables'])
                const [, table] = /table inet (nemesis_\w+)/.exec(tables) ?? []
                await entry.run(id, ['nft', 'delete', 'table', 'inet', table as string])
                return (await rule.lost?.()) ?? null
              },
            }
          },
        },
      }
    })
    const { verdict, cause } = await outcome(flushed, nemesis('partition', { isolate: 'n1', at: '200ms' }))
    expect(verdict).toBe('INCONCLUSIVE-fault-not-proven')
    expect(cause).toMatch(/not in place any more when it was to be healed: .*network namespace of n1/)
  })
})

requires('docker')('a node that something else starts again', () => {
  it('as a restart policy does is no proof of a kill, and the cause says so', { timeout }, async () => {
    const supervised = spoilt(containers, async (running) => {
      const lifecycle = running.lifecycle as Lifecycle
      return {
        lifecycle: {
          ...lifecycle,
          async kill(node: string) {
            await lifecycle.kill(node)
            await lifecycle.start(node)
          },
        },
      }
    })
    const { verdict, cause } = await outcome(
      supervised,
      nemesis('kill', { node: 'n1', at: '500ms', for: '1s', landWithin: '1s' }),
    )
    expect(verdict).toBe('INCONCLUSIVE-fault-not-proven')
    expect(cause).toMatch(/something else has started n1 again, such as a restart policy or a supervisor/)
  })
})

describe('clients that go round the proxy', () => {
  it('are no proof of a cut, and the cause names them', { timeout }, async () => {
    const real = new Map<string, number>()
    const direct = processes({
      command: [process.execPath, server],
      count: 3,
      ports: [7000],
      env: ({ name, listen, peers }) => {
        real.set(name, listen(7000))
        return { PORT: String(listen(7000)), PEERS: peers.join(',') }
      },
    })
    const { verdict, cause } = await outcome(
      direct,
      nemesis('partition', { groups: [['clients'], ['n1']], at: '500ms', for: '1s', landWithin: '2s' }),
      (node) => ({ host: '127.0.0.1', port: real.get(node) as number }),
    )
    expect(verdict).toBe('INCONCLUSIVE-fault-not-proven')
    expect(cause).toMatch(
      /traffic went round the fault: clients talk to n1 directly \(127\.0\.0\.1:\d+\), not through the proxy/,
    )
  })
})
