import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import {
  linkName,
  type Link,
  type NetworkRule,
  type VictimReading,
} from '../../../src/systems/capabilities.js'
import { applyUndo } from '../../../src/nemesis/undo/apply.js'
import type { Undo, UndoJournal } from '../../../src/nemesis/undo/journal.js'
import { engineAt } from '../../../src/systems/docker/engine.js'
import { chooseEntry } from '../../../src/systems/docker/namespace/choose.js'
import { isUnknownDiscipline, shapeLinks } from '../../../src/systems/netns/rules/shape.js'
import { namespacesOfContainers } from '../../../src/systems/docker/namespace/of-containers.js'
import { limitByQueue } from '../../../src/systems/netns/rules/limit.js'
import { loseByQueue, loseByStatistic } from '../../../src/systems/netns/rules/lose.js'
import { deleteNftTable } from '../../../src/systems/docker/remove.js'
import { requires, type Requirement } from '../../support/requirements.js'
import { cli, echo, startContainers, type Containers } from './containers.js'
import { createNetwork } from './unused-subnet.js'

const there: Link = { from: 'n1', to: 'n2' }
const back: Link = { from: 'n2', to: 'n1' }

/** The same script for both ways into a container's namespace. */
export function networkRules({
  enter,
  needs,
  name,
}: {
  enter: 'nsenter' | 'helper'
  needs: readonly Requirement[]
  name: string
}): void {
  requires(...needs)(`network rules by ${name}`, () => {
    let containers: Containers
    beforeAll(async () => {
      containers = await startContainers({ enter })
    })
    afterAll(() => containers?.stop())

    const hostOf = (node: string) => containers.node(node).address(7000).host
    /** One TCP exchange between two nodes, as the node that calls sees it after so long. */
    const call = (from: string, to: string, seconds = 20) =>
      containers.inside(from, 'sh', '-c', `echo hello | nc -w ${seconds} ${hostOf(to)} 7000 || echo failed`)
    /** The same where the links are cut: it does not wait for long. */
    const vainCall = (from: string, to: string) => call(from, to, 3)
    const ping = (from: string, to: string, count = 2) =>
      containers.inside(from, 'ping', '-c', String(count), '-W', '1', hostOf(to))
    /** Echo requests that have come in at a node, by its kernel. */
    const echoRequests = async (node: string): Promise<number> => {
      const lines = (await containers.inside(node, 'grep', '^Icmp:', '/proc/net/snmp')).split('\n')
      const column = lines[0]?.split(' ').indexOf('InEchos') as number
      return Number(lines[1]?.split(' ')[column])
    }
    const counted = async (rule: NetworkRule) =>
      Object.fromEntries(
        (await rule.counters()).map(({ link, met, passed }) => [linkName(link), { met, passed }]),
      )
    /** Puts a rule in while a connection from n1 to n2 is open; that connection must go on. */
    const talking = async (put: () => Promise<NetworkRule>): Promise<NetworkRule> => {
      const open = talk({ first: 'echo 1', last: 'for i in 2 3 4 5 6; do echo $i; sleep 0.1; done' })
      const connected = async () => (await connectionsOf('n1')).includes(':1B58 01 ')
      await expect.poll(connected).toBe(true)
      const rule = await put()
      expect((await open.end()).split('\n')).toEqual(['1', '2', '3', '4', '5', '6'])
      return rule
    }
    /** A connection from n1 to n2 that is open until it is told to end; resolves then to what has come back. */
    const talk = ({
      first = 'echo first',
      again = 'echo; sleep 0.1',
      last = 'echo last',
      host = hostOf('n2'),
    } = {}) => {
      const told = `/told-${(talks += 1)}`
      const says = `${first}; while [ ! -e ${told} ]; do ${again}; done; ${last}`
      const talking = containers.inside('n1', 'sh', '-c', `(${says}) | nc ${host} 7000 | tr -d '\\000'`)
      return {
        async end(): Promise<string> {
          await containers.inside('n1', 'touch', told)
          return (await talking).replaceAll(/\n{2,}/g, '\n')
        },
      }
    }
    let talks = 0
    /** The TCP connections of a node, as its kernel lists them. */
    const connectionsOf = (node: string) => containers.inside(node, 'cat', '/proc/net/tcp')
    const tables = async (node: string): Promise<string> => {
      const pid = await cli('inspect', '-f', '{{.State.Pid}}', `nemesis-${containers.run}-${node}`)
      return execFileSync('nsenter', ['-t', pid, '-n', 'nft', 'list', 'tables'], { encoding: 'utf8' }).trim()
    }

    test('offers every direction between nodes and clients', () => {
      expect(containers.network.links.map(linkName).sort()).toEqual(
        ['clients->n1', 'clients->n2', 'n1->clients', 'n1->n2', 'n2->clients', 'n2->n1'].sort(),
      )
    })

    test('cuts both directions, counts it, shows it at the victims, and leaves clients alone', async () => {
      const rule = await placed(containers.network.block([there, back], 'drop'))
      expect(rule.mechanism).toBe(`nft in the network namespace of n2, n1 (${name})`)
      const before = await rule.victims()
      expect(await counted(rule)).toEqual({
        'n1->n2': { met: 0, passed: 0 },
        'n2->n1': { met: 0, passed: 0 },
      })
      expect([...containers.open.values()].filter(({ kind }) => kind === 'docker-nft-table')).toHaveLength(2)
      expect(await Promise.all([vainCall('n1', 'n2'), vainCall('n2', 'n1')])).toEqual([
        expect.stringContaining('failed'),
        expect.stringContaining('failed'),
      ])
      const counts = await counted(rule)
      expect(counts['n1->n2']?.met).toBeGreaterThan(0)
      expect(counts['n2->n1']?.met).toBeGreaterThan(0)
      expect(await rule.bypasses()).toEqual([])
      expect(grown(before, await rule.victims())).toEqual(expect.arrayContaining(['n1', 'n2']))
      expect(await echo(containers.node('n1').address(7000))).toBe('hello')
      expect(await rule.present()).toBe(true)
      await rule.remove()
      await rule.remove()
      expect(await rule.present()).toBe(false)
      expect(await call('n1', 'n2')).toBe('hello')
      expect([...containers.open.values()].map(({ kind }) => kind)).toEqual(['docker-run'])
    })

    test('cuts one direction only, on the level of packets', async () => {
      const rule = await placed(containers.network.block([there], 'drop'))
      const watch = await placed(containers.network.watch?.([back]))
      const before = { n1: await echoRequests('n1'), n2: await echoRequests('n2') }
      await Promise.all([ping('n1', 'n2'), ping('n2', 'n1')])
      // Requests from n2 arrive at n1; requests from n1 do not arrive at n2, nor do its answers.
      expect(await echoRequests('n1')).toBe(before.n1 + 2)
      expect(await echoRequests('n2')).toBe(before.n2)
      expect((await counted(rule))['n1->n2']).toEqual({ met: 4, passed: 0 })
      expect((await counted(watch))['n2->n1']).toEqual({ met: 0, passed: 2 })
      await watch.remove()
      await rule.remove()
    })

    test('rejects with a reset', async () => {
      const rule = await placed(containers.network.block([there, back], 'reject'))
      const began = performance.now()
      expect(await call('n1', 'n2', 60)).toContain('Connection refused')
      expect(performance.now() - began).toBeLessThan(30_000)
      expect((await counted(rule))['n1->n2']?.met).toBeGreaterThan(0)
      await rule.remove()
    })

    test('cuts clients off, and only them', async () => {
      const rule = await placed(containers.network.block([{ from: 'clients', to: 'n1' }], 'drop'))
      expect(await containers.lifecycle.probe('n1', 300)).toBe('silent')
      expect((await counted(rule))['clients->n1']?.met).toBeGreaterThan(0)
      expect(await call('n2', 'n1')).toBe('hello')
      await rule.remove()
      expect(await containers.lifecycle.probe('n1', 20_000)).toBe('answers')
      const outwards = await placed(containers.network.block([{ from: 'n1', to: 'clients' }], 'drop'))
      expect(await containers.lifecycle.probe('n1', 300)).toBe('silent')
      expect((await counted(outwards))['n1->clients']?.met).toBeGreaterThan(0)
      await outwards.remove()
    })

    test('is put back when the node is started again, and keeps its count', async () => {
      const rule = await placed(containers.network.block([there], 'drop'))
      await ping('n1', 'n2')
      expect((await counted(rule))['n1->n2']?.met).toBe(2)
      await containers.lifecycle.kill('n2')
      expect(await rule.present()).toBe(false)
      await containers.lifecycle.start('n2')
      expect(await rule.present()).toBe(true)
      await ping('n1', 'n2')
      expect((await counted(rule))['n1->n2']?.met).toBe(4)
      // Another's restart is seen in the engine's events.
      await cli('restart', '-t', '0', `nemesis-${containers.run}-n2`)
      await vi.waitFor(async () => expect(await rule.present()).toBe(true), { timeout: 20_000 })
      await rule.remove()
      expect(await ping('n1', 'n2')).toContain('2 packets received')
    })

    test('names a connection that goes round it', async () => {
      const other = `nemesis-${containers.run}-other`
      await createNetwork(other, '--label', `nemesis.run=${containers.run}`)
      const rule = await placed(containers.network.block([there, back], 'drop'))
      for (const node of ['n1', 'n2'])
        await cli('network', 'connect', other, `nemesis-${containers.run}-${node}`)
      const inspected = await cli(
        'inspect',
        '-f',
        `{{(index .NetworkSettings.Networks "${other}").IPAddress}}`,
        `nemesis-${containers.run}-n2`,
      )
      const open = talk({ host: inspected })
      await vi.waitFor(
        async () =>
          expect(await rule.bypasses()).toContainEqual(
            expect.stringMatching(/^n1->n2: TCP connection .* is not covered/),
          ),
        { timeout: 20_000 },
      )
      await rule.remove()
      await open.end()
      for (const node of ['n1', 'n2'])
        await cli('network', 'disconnect', other, `nemesis-${containers.run}-${node}`)
      await cli('network', 'rm', other)
    })

    test('delays one direction by what was asked, counts it, and lets go', async () => {
      const rule = await placed(containers.network.delay([there], 80, 5))
      const before = await rule.victims()
      const printed = await ping('n1', 'n2', 3)
      const times = [...printed.matchAll(/time=([\d.]+) ms/g)].map((match) => Number(match[1]))
      expect(times).toHaveLength(3)
      for (const time of times) expect(time).toBeGreaterThanOrEqual(75)
      const [counter] = await rule.counters()
      expect(counter).toMatchObject({ link: there, met: 3, passed: 0 })
      expect(counter?.meanHeldMs).toBeGreaterThanOrEqual(75)
      // Not longer than the whole way there and back.
      expect(counter?.meanHeldMs).toBeLessThan(Math.max(...times) + 1)

      const open = talk()
      await vi.waitFor(async () => expect(grown(before, await rule.victims())).toContain('n1'), {
        timeout: 20_000,
      })
      await open.end()
      expect(await rule.bypasses()).toEqual([])
      expect(await rule.present()).toBe(true)

      await containers.lifecycle.kill('n2')
      await containers.lifecycle.start('n2')
      await ping('n1', 'n2', 1)
      expect((await rule.counters())[0]?.met).toBeGreaterThan(3)
      await rule.remove()
      expect(await rule.present()).toBe(false)
      expect(await ping('n1', 'n2')).toContain('2 packets received')
    })

    test('delays what clients send', async () => {
      const rule = await placed(containers.network.delay([{ from: 'clients', to: 'n1' }], 120, 0))
      const began = performance.now()
      expect(await echo(containers.node('n1').address(7000))).toBe('hello')
      expect(performance.now() - began).toBeGreaterThanOrEqual(240)
      expect(await call('n2', 'n1')).toBe('hello')
      const [counter] = await rule.counters()
      expect(counter?.met).toBeGreaterThanOrEqual(2)
      await rule.remove()
    })

    test('leaves connections alone that exist already, when it is told to', async () => {
      const rule = await talking(async () =>
        placed(containers.network.block([there, back], 'drop', { established: 'left' })),
      )
      expect(await vainCall('n1', 'n2')).toContain('failed')
      expect((await counted(rule))['n1->n2']?.met).toBeGreaterThan(0)
      expect(await rule.bypasses()).toEqual([])
      await rule.remove()
      expect(await call('n1', 'n2')).toBe('hello')
    })

    test('cuts one direction only, on the level of connections', async () => {
      const rule = await placed(containers.network.block([there], 'drop', { level: 'connections' }))
      expect(await call('n2', 'n1')).toBe('hello')
      expect((await counted(rule))['n1->n2']).toEqual({ met: 0, passed: 0 })
      expect(await vainCall('n1', 'n2')).toContain('failed')
      expect((await counted(rule))['n1->n2']?.met).toBeGreaterThan(0)
      expect(await call('n2', 'n1')).toBe('hello')
      expect(await rule.bypasses()).toEqual([])
      await rule.remove()
    })

    const context = async () => {
      const engine = await engineAt(null)
      const nodes = await Promise.all(
        containers.system.nodes.map(async ({ name, index }) => {
          const { Id: id } = await engine.getContainer(`nemesis-${containers.run}-${name}`).inspect()
          return { name, index, id, ip: hostOf(name) }
        }),
      )
      const first = nodes[0]?.id as string
      const entry = await chooseEntry({ engine, run: containers.run, enter, helperImage: null }, first)
      onTestFinished(() => entry.close())
      const open = new Map<string, Undo>()
      const journal: UndoJournal = {
        async open(undo) {
          open.set(String(open.size + 1), undo)
          return String(open.size)
        },
        close: async (id) => void open.delete(id),
      }
      return { nodes, entry, journal, open, namespaces: namespacesOfContainers(engine, null) }
    }

    test.each(['nft', 'iptables', 'NFQUEUE'] as const)('loses a share of the packets by %s', async (by) => {
      const loss = { share: 0.3, seed: 7 }
      const rules = await context()
      const links = [there, { from: 'clients', to: 'n1' }]
      const rule = await placed(
        by === 'nft'
          ? containers.network.lose?.(links, loss.share)
          : (by === 'iptables' ? loseByStatistic : loseByQueue)(rules, links, loss),
      )
      expect(rule.mechanism).toContain(by)
      const printed = await containers.inside('n1', 'ping', '-c', '60', '-i', '0.02', '-W', '1', hostOf('n2'))
      const received = Number(/(\d+) packets received/.exec(printed)?.[1])
      const counts = (await counted(rule))['n1->n2']
      expect(counts).toEqual({ met: 60 - received, passed: received })
      // For 60 draws of 0.3, six standard deviations.
      expect(counts?.met).toBeGreaterThan(0)
      expect(counts?.met).toBeLessThan(40)
      expect(await rule.bypasses()).toEqual([])
      expect(await rule.lost?.()).toBeNull()
      if (by !== 'nft') {
        const [undo] = rules.open.values()
        await applyUndo(undo as Undo)
        await applyUndo(undo as Undo)
        expect(await rule.lost?.()).toContain('n2')
      }
      await rule.remove()
      expect(rules.open.size).toBe(0)
      expect(await rule.present()).toBe(false)
      expect(await ping('n1', 'n2')).toContain('2 packets received')
    })

    test('draws the same packets again for the same seed', async () => {
      const rules = await context()
      const missing = async (seed: number): Promise<string> => {
        const rule = await placed(loseByQueue(rules, [there], { share: 0.5, seed }))
        const printed = await containers.inside(
          'n1',
          'ping',
          '-c',
          '30',
          '-i',
          '0.02',
          '-W',
          '1',
          hostOf('n2'),
        )
        await rule.remove()
        return [...printed.matchAll(/seq=(\d+)/g)].map((match) => match[1]).join(' ')
      }
      const first = await missing(3)
      expect(await missing(3)).toBe(first)
      expect(await missing(4)).not.toBe(first)
    })

    test.each(['tc tbf', 'NFQUEUE'] as const)('lets no more through than the rate, by %s', async (by) => {
      const rules = await context()
      const rate = 1_000_000
      const links = [there, { from: 'clients', to: 'n1' }]
      const rule = await placed(
        by === 'tc tbf' ? containers.network.limit?.(links, rate) : limitByQueue(rules, links, rate),
      )
      expect(rule.mechanism).toContain(by)
      const before = await rule.victims()
      // More than the rate, until that shows.
      const full = talk({ again: 'head -c 20000 /dev/zero; sleep 0.05' })
      await vi.waitFor(async () => expect(grown(before, await rule.victims())).toContain('n1'), {
        timeout: 20_000,
        interval: 20,
      })
      await full.end()
      // 100 kB there, and nothing but the end of it back: 0.8 s at least at this rate, less what goes in a burst.
      const began = performance.now()
      const push = `head -c 100000 /dev/zero | nc -w 20 ${hostOf('n2')} 7000 | wc -c`
      expect(await containers.inside('n1', 'sh', '-c', push)).toBe('100000')
      expect(performance.now() - began).toBeGreaterThan(600)
      expect((await counted(rule))['n1->n2']?.met).toBeGreaterThan(0)
      expect(await rule.bypasses()).toEqual([])

      // What clients send is held back at the node that receives it.
      const sent = performance.now()
      const client = connect(containers.node('n1').address(7000))
      let answered = 0
      client.on('data', (data: Buffer) => (answered += data.length))
      client.end(Buffer.alloc(100_000))
      await once(client, 'close')
      expect(answered).toBe(100_000)
      expect(performance.now() - sent).toBeGreaterThan(600)
      expect((await counted(rule))['clients->n1']?.met).toBeGreaterThan(0)
      await rule.remove()
      expect(await rule.present()).toBe(false)
    })

    test('shapes what a node sends, and only to whom it should', async () => {
      const rules = await context()
      const shape = (discipline: string, links: Link[]) =>
        shapeLinks(rules, links, {
          discipline,
          count: ({ packets }) => ({ met: packets, passed: 0 }),
          victims: async () => [],
        })
      const rule = await placed(shape('pfifo limit 1000', [there, { from: 'n1', to: 'clients' }]))
      await ping('n1', 'n2', 3)
      expect(await echo(containers.node('n1').address(7000))).toBe('hello')
      const counters = await counted(rule)
      expect(counters['n1->n2']?.met).toBeGreaterThanOrEqual(3)
      expect(counters['n1->clients']?.met).toBeGreaterThanOrEqual(2)
      await expect(shape('pfifo', [there])).rejects.toThrow(/being shaped already/)
      expect(await rule.present()).toBe(true)
      await rule.remove()
      expect(await rule.present()).toBe(false)

      await expect(shape('nosuch', [there])).rejects.toSatisfy(isUnknownDiscipline)
      expect(await containers.inside('n1', 'sh', '-c', 'ip link show eth0')).toContain('noqueue')

      const arriving = await placed(shape('pfifo limit 1000', [{ from: 'clients', to: 'n1' }]))
      expect(await echo(containers.node('n1').address(7000))).toBe('hello')
      await ping('n2', 'n1', 1)
      expect((await counted(arriving))['clients->n1']?.met).toBeGreaterThanOrEqual(2)
      const [undo] = rules.open.values()
      await applyUndo(undo as Undo)
      await applyUndo(undo as Undo)
      expect(await arriving.present()).toBe(false)
      expect(await containers.inside('n1', 'sh', '-c', 'ip link')).not.toContain('nem_')
      expect(await echo(containers.node('n1').address(7000))).toBe('hello')
      await arriving.remove()
    })

    test('limits a link that is being shaped already by other means', async () => {
      const first = await placed(containers.network.limit?.([there], 1e9))
      const second = await placed(containers.network.limit?.([there], 5e8))
      expect(first.mechanism).toContain('tc tbf')
      expect(second.mechanism).toContain('NFQUEUE')
      expect(await call('n1', 'n2')).toBe('hello')
      await second.remove()
      await first.remove()
    })

    test('is deleted by another process through its journal entry', async () => {
      const rule = await placed(containers.network.block([there], 'drop'))
      const entry = [...containers.open.values()].find(({ kind }) => kind === 'docker-nft-table')
      if (entry?.kind !== 'docker-nft-table') throw new Error('the rule was not journalled')
      await deleteNftTable(entry.container, entry.table, entry.host)
      await deleteNftTable(entry.container, entry.table, entry.host)
      expect(await rule.present()).toBe(false)
      await rule.remove()
    })

    test.runIf(process.getuid?.() === 0)('leaves nothing in the namespaces', async () => {
      for (const node of ['n1', 'n2']) expect(await tables(node)).toBe('table ip nat')
    })

    test('tells of a node that there is not', async () => {
      await expect(containers.network.block([{ from: 'n1', to: 'n9' }], 'drop')).rejects.toThrow(
        /no node "n9"[^]*n1, n2/,
      )
    })
  })
}

/** Takes the rule away when the test is over, however it ends. */
async function placed(putting: Promise<NetworkRule> | undefined): Promise<NetworkRule> {
  const rule = (await putting) as NetworkRule
  onTestFinished(() => rule.remove())
  return rule
}

/** Nodes of which a reading has grown. */
function grown(before: readonly VictimReading[], after: readonly VictimReading[]): string[] {
  const old = new Map(before.map(({ node, signal, value }) => [`${node} ${signal}`, value]))
  const nodes = after.filter(({ node, signal, value }) => value > (old.get(`${node} ${signal}`) ?? 0))
  return [...new Set(nodes.map(({ node }) => node))]
}
