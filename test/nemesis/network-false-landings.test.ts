import { describe, expect, it, vi } from 'vitest'
import { nemesis } from '../../src/nemesis/nemesis.js'
import type { Lifecycle, Network } from '../../src/systems/capabilities.js'
import { engineAt } from '../../src/systems/docker/engine.js'
import { chooseEntry } from '../../src/systems/docker/namespace/choose.js'
import { namespacesOfContainers } from '../../src/systems/docker/namespace/of-containers.js'
import { nftRule } from '../../src/systems/netns/rules/nft-rule.js'
import { requires } from '../support/requirements.js'
import { outcome, spoilt } from './relay-scenario.js'
import { relayContainers, relayProcesses } from './relays.js'

const timeout = 120_000

const containers = relayContainers()

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
  const isolate = nemesis('partition', { isolate: 'n1', at: '500ms', for: '1s', landWithin: '5s' })
  const wrong =
    /traffic crosses the links and does not meet the rule \(\d+ on n\d->n\d.*, 0 dropped\): the rule is in a chain, or on an interface/

  it('because it is in the wrong chain is no proof, and the cause says so', { timeout }, async () => {
    const { verdict, cause } = await outcome(
      misplaced((script) => script.replaceAll('hook input', 'hook forward')),
      isolate,
      { seconds: 7 },
    )
    expect(verdict).toBe('INCONCLUSIVE-fault-not-proven')
    expect(cause).toMatch(wrong)
  })

  it('because it is on the wrong interface is no proof, and the cause says so', { timeout }, async () => {
    const { verdict, cause } = await outcome(
      misplaced((script) => script.replaceAll('ip saddr', 'iifname "eth7" ip saddr')),
      isolate,
      { seconds: 7 },
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
    const partition = nemesis('partition', { isolate: 'n1', at: '200ms', landWithin: '9s' })
    const { verdict, cause } = await outcome(flushed, partition, { seconds: 10 })
    expect(verdict).toBe('INCONCLUSIVE-fault-not-proven')
    expect(cause).toMatch(/not in place any more when it was to be healed: .*network namespace of n1/)
  })
})

requires('docker', 'root')('a container with a restart policy', () => {
  /** `restart: always`, as a Compose file gives it; it is the engine that acts on it. */
  const always = async (run: string) => {
    const container = (await engineAt(null)).getContainer(`nemesis-${run}-n1`)
    await container.update({ RestartPolicy: { Name: 'always', MaximumRetryCount: 0 } })
    return container
  }
  const kill = nemesis('kill', { node: 'n1', at: '500ms', for: '1s', landWithin: '8s' })

  it('that is brought back by it is no proof of a kill, and the cause names it', { timeout }, async () => {
    const supervised = spoilt(containers, async (running, run) => {
      const container = await always(run)
      return {
        lifecycle: {
          ...(running.lifecycle as Lifecycle),
          // As the kernel kills a process that has taken all memory: the engine learns of it by the end alone.
          async kill() {
            const { State: state } = await container.inspect()
            process.kill(state.Pid, 'SIGKILL')
            await vi.waitFor(
              async () => expect((await container.inspect()).State.StartedAt).not.toBe(state.StartedAt),
              { timeout: 60_000 },
            )
          },
        },
      }
    })
    const { verdict, cause, window } = await outcome(supervised, kill, { seconds: 10 })
    expect(verdict).toBe('INCONCLUSIVE-fault-not-proven')
    expect(cause).toMatch(/its restart policy \(always\) has started n1 again/)
    expect(window?.healed_ts).not.toBeNull()
  })

  it('stays down when the engine itself was told to kill it', { timeout }, async () => {
    const supervised = spoilt(containers, async (_, run) => {
      await always(run)
      return {}
    })
    const { verdict, window } = await outcome(supervised, kill, { seconds: 10 })
    expect(verdict).toBe('PASS-smoke')
    expect(window).toMatchObject({ landed: true, cause: null })
  })
})

describe('clients that go round the proxy', () => {
  it('are no proof of a cut, and the cause names them', { timeout }, async () => {
    const real = new Map<string, number>()
    const direct = relayProcesses({
      env: ({ name, listen, peers }) => {
        real.set(name, listen(7000))
        return { PORT: String(listen(7000)), PEERS: peers.join(',') }
      },
    })
    const { verdict, cause } = await outcome(
      direct,
      nemesis('partition', { groups: [['clients'], ['n1']], at: '500ms', for: '1s', landWithin: '2s' }),
      { addressOf: (node) => ({ host: '127.0.0.1', port: real.get(node) as number }) },
    )
    expect(verdict).toBe('INCONCLUSIVE-fault-not-proven')
    expect(cause).toMatch(
      /traffic went round the fault: clients talk to n1 directly \(127\.0\.0\.1:\d+\), not through the proxy/,
    )
  })
})
