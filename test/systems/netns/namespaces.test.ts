import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { linkName, type Link, type NetworkRule } from '../../../src/systems/capabilities.js'
import { linkInto, namespaceNames } from '../../../src/systems/netns/names.js'
import { removeNamespaces } from '../../../src/systems/netns/remove.js'
import { routesWithin } from '../../../src/systems/netns/subnets.js'
import { parseCidr, type Cidr } from '../../../src/systems/netns/subnet.js'
import { processes } from '../../../src/systems/process/processes.js'
import { requires } from '../../support/requirements.js'
import { LineClient, within } from '../line-client.js'
import { startLineServers, type Started } from '../running.js'

const there: Link = { from: 'n1', to: 'n2' }
const back: Link = { from: 'n2', to: 'n1' }

async function startInNamespaces(count = 2): Promise<Started> {
  return startLineServers({ count, network: 'namespaces' })
}

/** One exchange between two nodes, as the node that calls sees it. */
async function call(started: Started, from: number, to: number): Promise<string> {
  const client = new LineClient(started.nodes[from]!.address(7000))
  onTestFinished(() => client.close())
  return within(client.ask(`ask ${started.nodes[to]!.address(7000)} ping`), 20_000)
}

async function ask(started: Started, node: number, line = 'ping'): Promise<string> {
  const client = new LineClient(started.nodes[node]!.address(7000))
  onTestFinished(() => client.close())
  return within(client.ask(line), 20_000)
}

async function placed(putting: Promise<NetworkRule>): Promise<NetworkRule> {
  const rule = await putting
  onTestFinished(() => rule.remove())
  return rule
}

async function counts(rule: NetworkRule) {
  return Object.fromEntries((await rule.counters()).map((one) => [linkName(one.link), one]))
}

/** What of a run is left on this machine. */
function left(runId: string): string[] {
  const { hub } = namespaceNames(runId)
  return readdirSync('/run/netns').filter((name) => name.startsWith(hub))
}

requires(
  'linux',
  'root',
  'nft',
)('processes in network namespaces', () => {
  it('reach one another and are reached at addresses of their own, on the declared ports', async () => {
    const started = await startInNamespaces()
    const addresses = started.nodes.map((node) => String(node.address(7000)))
    expect(addresses).toEqual([
      expect.stringMatching(/^10\.213\.\d+\.2:7000$/),
      expect.stringMatching(/^10\.213\.\d+\.3:7000$/),
    ])
    expect(started.launches[0]?.peers.map(String)).toEqual([addresses[1]])
    expect(await ask(started, 0)).toBe('pong n1')
    expect(await call(started, 0, 1)).toBe('pong n2')
    expect(started.network.links.map(linkName)).toHaveLength(6)
  })

  it('have everything taken away at the end', async () => {
    const started = await startInNamespaces()
    const host = started.nodes[0]!.address(7000).host
    const link = linkInto(parseCidr(`${host}/24`) as Cidr)
    expect(left(started.runId)).toHaveLength(3)
    expect(existsSync(`/sys/class/net/${link}`)).toBe(true)
    await started.network.block([there], 'drop')
    await started.running.stop()
    expect(left(started.runId)).toEqual([])
    expect(existsSync(`/sys/class/net/${link}`)).toBe(false)
    expect([...started.journal.open_.values()]).toEqual([])
  })

  it('need no rule of this machine, though it drops what it forwards where Docker runs', async () => {
    const started = await startInNamespaces()
    expect(await call(started, 1, 0)).toBe('pong n1')
    const { host } = started.nodes[0]!.address(7000)
    const ruleset = execFileSync('nft', ['list', 'ruleset'], { encoding: 'utf8', stdio: 'pipe' })
    expect(ruleset).not.toContain(host.replace(/\.2$/, '.'))
    expect(ruleset).not.toContain(linkInto(parseCidr(`${host}/24`) as Cidr))
  })

  it('are cut from one another by packets, also when they are connected already', async () => {
    const started = await startInNamespaces()
    const client = new LineClient(started.nodes[0]!.address(7000))
    onTestFinished(() => client.close())
    const line = `ask ${started.nodes[1]!.address(7000)} ping`
    expect(await client.ask(line)).toBe('pong n2')

    const rule = await placed(started.network.block([there, back], 'drop'))
    expect(rule.mechanism).toMatch(/^nft in the network namespace of n2, n1 \(nsenter\)$/)
    const before = await rule.victims()
    const waiting = client.ask(line)
    expect(await within(waiting, 1_000)).toBe('late')
    expect((await counts(rule))['n1->n2']?.met).toBeGreaterThan(0)
    expect(await rule.victims()).not.toEqual(before)
    expect(await ask(started, 1)).toBe('pong n2')
    expect(await rule.present()).toBe(true)
    await rule.remove()
    expect(await rule.present()).toBe(false)
    expect(await within(waiting, 20_000)).toBe('pong n2')
  })

  it('are cut from clients, and only from them', async () => {
    const started = await startInNamespaces()
    const rule = await placed(started.network.block([{ from: 'clients', to: 'n1' }], 'drop'))
    expect(await within(ask(started, 0), 1_000)).toBe('late')
    expect(await call(started, 1, 0)).toBe('pong n1')
    expect((await counts(rule))['clients->n1']?.met).toBeGreaterThan(0)
  })

  it('keep a rule while the node is down, and over its restart', async () => {
    const started = await startInNamespaces()
    const rule = await placed(started.network.block([there], 'reject'))
    await started.lifecycle.kill('n2')
    expect(await rule.present()).toBe(true)
    await started.lifecycle.start('n2')
    expect(await call(started, 0, 1)).toBe('broken')
    expect((await counts(rule))['n1->n2']?.met).toBeGreaterThan(0)
    await rule.remove()
    expect(await call(started, 0, 1)).toBe('pong n2')
  })

  it('are delayed in one direction', async () => {
    const started = await startInNamespaces()
    const rule = await placed(started.network.delay([there], 150, 0))
    const began = performance.now()
    expect(await call(started, 0, 1)).toBe('pong n2')
    expect(performance.now() - began).toBeGreaterThanOrEqual(300)
    expect((await counts(rule))['n1->n2']?.meanHeldMs).toBeGreaterThanOrEqual(145)
    await rule.remove()
    expect(await rule.present()).toBe(false)
  })

  it('see a node that was killed as one that refuses', async () => {
    const started = await startInNamespaces()
    expect(await started.lifecycle.probe('n1', 20_000)).toBe('answers')
    await started.lifecycle.kill('n1')
    expect(await started.lifecycle.probe('n1', 20_000)).toBe('refused')
    expect(await call(started, 1, 0)).toBe('broken')
    await started.lifecycle.start('n1')
    expect(await call(started, 1, 0)).toBe('pong n1')
  })

  it('run commands in the namespace of a node', async () => {
    const started = await startInNamespaces()
    const { host } = started.nodes[1]!.address(7000)
    const { code, stdout } = await started.running.exec!.run('n2', [
      'ip',
      '-4',
      'address',
      'show',
      'dev',
      'eth0',
    ])
    expect(code).toBe(0)
    expect(stdout).toContain(`inet ${host}/24`)
  })

  it('are taken away by another process through the journal, whole runs and whatever is in them', async () => {
    const started = await startInNamespaces()
    const entry = [...started.journal.open_.values()].find(({ kind }) => kind === 'namespaces')
    if (entry?.kind !== 'namespaces') throw new Error('the namespaces were not journalled')
    expect(await removeNamespaces(entry.names)).toBe(3)
    expect(await removeNamespaces(entry.names)).toBe(0)
    expect(left(started.runId)).toEqual([])
    await expect(removeNamespaces(['mine'])).rejects.toThrow(/mine is no network namespace of a run/)
  })

  it('of two runs at the same time have subnets of their own', async () => {
    const [first, second] = await Promise.all([startInNamespaces(1), startInNamespaces(1)])
    expect(first.nodes[0]!.address(7000).host).not.toBe(second.nodes[0]!.address(7000).host)
    expect(await ask(first, 0)).toBe('pong n1')
    expect(await ask(second, 0)).toBe('pong n1')
  })

  it('are taken away again when a program ends at once', async () => {
    const dying = startLineServers({
      network: 'namespaces',
      names: () => 'short-lived',
      env: () => ({ DIE: '3' }),
    })
    await expect(dying).rejects.toThrow(/exit code 3[^]*disk on fire/)
    expect(readdirSync('/run/netns').filter((name) => name.endsWith('-short-lived'))).toEqual([])
  })
})

describe('namespaces', () => {
  it('exclude a proxy', () => {
    const options = { command: ['true'], count: 1, ports: [7000] }
    expect(() => processes({ ...options, network: 'namespaces', proxy: true })).toThrow(/exclude each other/)
    expect(() => processes({ ...options, pool: '10.213.0.0/16' })).toThrow(/`pool` goes with/)
  })

  it('take no subnet that this machine has a route into', () => {
    const printed = JSON.stringify([
      { dst: 'default', gateway: '10.0.0.1', dev: 'eth0' },
      { type: 'unreachable', dst: '10.213.0.0/16', metric: 4000 },
      { dst: '10.213.4.0/24', dev: 'br-1' },
      { dst: '10.213.9.9', dev: 'tun0' },
      { dst: '10.0.0.0/8', dev: 'tun0' },
    ])
    const found = routesWithin(printed, parseCidr('10.213.0.0/16') as Cidr)
    expect(found).toEqual([parseCidr('10.213.4.0/24'), parseCidr('10.213.9.9/32')])
  })
})
