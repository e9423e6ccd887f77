import { describe, expect, it, onTestFinished } from 'vitest'
import { EnvironmentError } from '../../../src/errors.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import { applyUndo } from '../../../src/nemesis/undo/apply.js'
import { clients } from '../../../src/systems/proxy/fault-proxy.js'
import type { Network } from '../../../src/systems/capabilities.js'
import type { NodeProvider, ProviderContext, RunningSystem } from '../../../src/systems/system.js'
import { toxiproxy } from '../../../src/systems/toxiproxy/toxiproxy.js'
import { outcome, spoilt } from '../../nemesis/relay-scenario.js'
import { relayProcesses } from '../../nemesis/relays.js'
import { MemoryJournal } from '../running.js'
import { requires } from '../../support/requirements.js'
import { servers, startServer, type ToxiproxyServer } from './servers.js'

const timeout = 120_000
const window = { at: '500ms', for: '1s', landWithin: '8s' } as const
const cut = { groups: [['clients'], ['n1']], ...window }

requires('linux')('network faults by Toxiproxy', () => {
  describe.each(servers)('of a server ($kind)', ({ command }) => {
    describe.skipIf(command === null)(
      'needs toxiproxy-server in PATH, from its releases or built by Go',
      () => {
        const start = async (): Promise<ToxiproxyServer> => {
          const server = await startServer(command ?? [])
          onTestFinished(() => server.stop())
          return server
        }

        it.each([
          ['partition', { ...cut }, /^Toxiproxy \S+: timeout on to_n1 \(upstream\), to_n1 \(downstream\)$/],
          ['partition', { ...cut, mode: 'reject' }, /: reset_peer on to_n1/],
          [
            'asymmetric-partition',
            { from: 'clients', to: 'n1', ...window },
            /: timeout on to_n1 \(upstream\)$/,
          ],
          ['latency', { between: ['clients', 'n1'], delay: '120ms', ...window }, /: latency on to_n1/],
          ['bandwidth', { between: ['clients', 'n1'], rate: '8kbit', ...window }, /: bandwidth on to_n1/],
        ] as const)('proves a %s (%o), and takes it back', { timeout }, async (fault, options, mechanism) => {
          const server = await start()
          const {
            verdict,
            cause,
            window: seen,
          } = await outcome(behind(server), nemesis(fault, options as never), {
            line: fault === 'bandwidth' ? 'x'.repeat(1_000) : 'all',
            seconds: 10,
          })
          expect({ verdict, cause }).toEqual({ verdict: 'PASS-smoke', cause: null })
          expect(seen?.mechanism).toMatch(mechanism)
          for (const side of ['injector', 'victim'])
            expect(seen?.evidence.some((row) => row.side === side && row.after !== row.before)).toBe(true)
          expect(await server.toxics('to_n1')).toEqual([])
        })

        it('does not count what a proxy that nobody calls through meets', { timeout }, async () => {
          const { verdict, cause } = await outcome(
            behind(await start()),
            nemesis('partition', { groups: [['n2'], ['n3']], ...window, landWithin: '1s' }),
          )
          expect(verdict).toBe('INCONCLUSIVE-fault-not-proven')
          expect(cause).toMatch(/no traffic met the rule on n2->n3, n3->n2/)
        })

        it('does not count what clients go round, and says so', { timeout }, async () => {
          const direct = new Map<string, { host: string; port: number }>()
          const { verdict, cause } = await outcome(
            behind(await start(), { direct }),
            nemesis('partition', cut),
            { addressOf: (node, at) => direct.get(node) ?? at, seconds: 10 },
          )
          expect(verdict).toBe('INCONCLUSIVE-fault-not-proven')
          expect(cause).toMatch(/clients talk to n1 directly \(127\.0\.0\.1:\d+\), not through Toxiproxy/)
        })

        it('does not count a toxic that somebody takes off meanwhile', { timeout }, async () => {
          const server = await start()
          const meddled = spoilt(behind(server), async (running) => {
            const network = running.network as Network
            const delay: Network['delay'] = async (...how) => {
              const rule = await network.delay(...how)
              return {
                ...rule,
                // Asked when the fault has landed and is about to be healed: somebody has taken it off by then.
                async lost() {
                  const [toxic] = await server.toxics('to_n1')
                  await server.removeToxic('to_n1', toxic?.name ?? 'none')
                  return (await rule.lost?.()) ?? null
                },
              }
            }
            return { network: { ...network, delay } }
          })
          const slow = nemesis('latency', { between: ['clients', 'n1'], delay: '50ms', ...window })
          const { verdict, cause } = await outcome(meddled, slow, { seconds: 10 })
          expect(verdict).toBe('INCONCLUSIVE-fault-not-proven')
          expect(cause).toMatch(/something else has taken the toxic off to_n1 \((up|down)stream\)/)
        })

        it(
          'is undone by what the journal holds, also twice, and when the server is gone',
          { timeout },
          async () => {
            const server = await start()
            await server.create('only', '127.0.0.1:9')
            await server.create('other', '127.0.0.1:9')
            const journal = new MemoryJournal()
            const running = await started(
              toxiproxy({ url: server.url, nodes: { n1: { 9: 'only' } } }),
              journal,
            )
            const link = { from: clients, to: 'n1' }
            const rule = await running.network?.block([link], 'drop')
            expect(await server.toxics('only')).toHaveLength(1)
            const [undo] = [...journal.open_.values()]
            if (undo === undefined) throw new Error('nothing was journalled')
            expect(await applyUndo(undo)).toMatch(/^took 1 toxic away at http/)
            expect(await server.toxics('only')).toEqual([])
            expect(await applyUndo(undo)).toMatch(/^no toxic was left/)
            expect(await rule?.present()).toBe(false)
            await rule?.remove()
            expect([...journal.open_.values()]).toEqual([])
            await server.stop()
            expect(await applyUndo(undo)).toMatch(/^no toxic was left/)
            const strange = { ...undo, toxics: [{ proxy: 'only', toxic: 'somebodys' }] } as typeof undo
            await expect(applyUndo(strange)).rejects.toThrow(/somebodys is no toxic of a run/)
          },
        )

        it('says what it lacks', { timeout }, async () => {
          const server = await start()
          const missing = await toxiproxy({ url: server.url, nodes: { n1: { 9: 'absent' } } }).missing()
          expect(missing).toEqual([
            {
              what: expect.stringContaining('the proxy absent of Toxiproxy'),
              hint: expect.stringContaining('toxiproxy-cli create'),
            },
          ])
          await server.create('only', '127.0.0.1:9')
          const running = await started(toxiproxy({ url: server.url, nodes: { n1: { 9: 'only' } } }))
          const link = { from: clients, to: 'n1' }
          await expect(running.network?.block([link], 'drop', { established: 'left' })).rejects.toThrow(
            EnvironmentError,
          )
          await expect(running.network?.limit?.([link], 1_000)).rejects.toThrow(/8kbit at least/)
          expect(() => running.nodes[0]?.address(80)).toThrow(/n1 has no port 80/)
          await server.stop()
          const gone = await toxiproxy({ url: server.url, nodes: { n1: { 9: 'only' } } }).missing()
          expect(gone).toEqual([
            {
              what: expect.stringContaining('does not answer'),
              hint: expect.stringContaining('toxiproxy-server -proxy-metrics'),
            },
          ])
        })
      },
    )
  })
})

async function started(provider: NodeProvider, journal = new MemoryJournal()): Promise<RunningSystem> {
  const context = { journal, signal: new AbortController().signal } as unknown as ProviderContext
  const running = await provider.start(context)
  onTestFinished(() => running.stop())
  return running
}

/** Relays whose clients come through proxies of the server; one from n2 to n3 stands there unused. */
function behind(
  server: ToxiproxyServer,
  { direct }: { direct?: Map<string, { host: string; port: number }> } = {},
): NodeProvider {
  const relays = relayProcesses({ proxy: false })
  return {
    ...relays,
    async start(context) {
      const running = await relays.start(context)
      try {
        for (const node of running.nodes) {
          await server.create(`to_${node.name}`, String(node.address(7000)))
          direct?.set(node.name, node.address(7000))
        }
        await server.create('unused', String(running.nodes[2]?.address(7000)))
        const proxied = toxiproxy({
          url: server.url,
          nodes: Object.fromEntries(running.nodes.map(({ name }) => [name, { 7000: `to_${name}` }])),
          peers: { n2: { n3: ['unused'] } },
        })
        const { nodes, network, stop } = await proxied.start(context)
        return {
          ...running,
          nodes,
          network,
          async stop() {
            await stop()
            await running.stop()
          },
        }
      } catch (error) {
        await running.stop()
        throw error
      }
    },
  }
}
