import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { NetworkRule } from '../../../src/systems/capabilities.js'
import { describeHost, engineAt } from '../../../src/systems/docker/engine.js'
import { docker } from '../../../src/systems/docker/index.js'
import { removeDockerRun } from '../../../src/systems/docker/remove.js'
import { requires } from '../../support/requirements.js'
import { echo, startContainers, type Containers } from './containers.js'
import { startRemoteEngine, type RemoteEngine } from './remote-engine.js'

/** Apart from the lower half, of which the network is that leads to the engine. */
const pool = '10.213.128.0/18'

requires(
  'docker',
  'root',
  'linux',
  'busybox',
  'nft',
)('an engine on another machine', () => {
  let engine: RemoteEngine
  let containers: Containers
  beforeAll(async () => {
    engine = await startRemoteEngine()
    containers = await startContainers({ host: engine.host, pool })
  }, 120_000)
  afterAll(async () => {
    await containers?.stop()
    await engine?.stop()
  }, 60_000)

  async function placed(putting: Promise<NetworkRule>): Promise<NetworkRule> {
    const rule = await putting
    onTestFinished(() => rule.remove())
    return rule
  }
  /** One exchange between two nodes, as the node that calls sees it. */
  const call = async (from: string, to: string, seconds = 20): Promise<string> => {
    const { stdout: ip } = await containers.system.exec!.run(to, ['hostname', '-i'])
    const script = `echo hello | nc -w ${seconds} ${ip.trim()} 7000`
    return (await containers.system.exec!.run(from, ['sh', '-c', script])).stdout.trim()
  }

  test('has its containers reached where they publish', async () => {
    const { host } = containers.node('n1').address(7000)
    expect(host).toBe(engine.address)
    for (const node of containers.system.nodes) expect(await echo(node.address(7000))).toBe('hello')
  })

  test('gets network rules through helper containers', async () => {
    const rule = await placed(containers.network.block([{ from: 'n1', to: 'n2' }], 'drop'))
    expect(rule.mechanism).toBe('nft in the network namespace of n2 (helper container)')
    expect(await call('n1', 'n2', 2)).toBe('')
    expect((await rule.counters())[0]?.met).toBeGreaterThan(0)
    await rule.remove()
    expect(await call('n1', 'n2')).toBe('hello')

    const clients = await placed(containers.network.block([{ from: 'clients', to: 'n1' }], 'drop'))
    expect(await echo(containers.node('n1').address(7000), 1_000)).toBe('timeout')
    expect(await call('n2', 'n1')).toBe('hello')
    await clients.remove()
    expect(await echo(containers.node('n1').address(7000))).toBe('hello')
  }, 120_000)

  test('kills, starts and pauses', async () => {
    const { lifecycle } = containers
    await lifecycle.kill('n1')
    expect(await lifecycle.probe('n1', 20_000)).toBe('refused')
    expect(await lifecycle.state('n1')).toMatchObject({ status: 'exited', exitSignal: 'SIGKILL' })
    await lifecycle.start('n1')
    await expect.poll(() => lifecycle.probe('n1', 5_000)).toBe('answers')
    await lifecycle.pause('n2')
    expect((await lifecycle.state('n2')).status).toBe('paused')
    await lifecycle.resume('n2')
    expect(await echo(containers.node('n2').address(7000))).toBe('hello')
  }, 60_000)

  test('keeps its processes to itself: no storage, and no clock', async () => {
    expect(containers.system.storage).toBeNull()
    await expect(containers.system.clock!.skew('n1', 1_000)).rejects.toThrow(/another kernel/)
  })

  test('is used where DOCKER_HOST says so, by adoption as well, and is cleaned up by its address', async () => {
    vi.stubEnv('DOCKER_HOST', engine.host)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(describeHost(null)).toBe(engine.host)
    const other = await startContainers({ pool, count: 1 })
    onTestFinished(() => other.stop())
    expect(await echo(other.node('n1').address(7000))).toBe('hello')

    const provider = docker.adopt(`nemesis-${other.run}-n1`, { ports: [7000] })
    expect(await provider.missing()).toEqual([])
    vi.unstubAllEnvs()
    const entry = [...other.open.values()].find(({ kind }) => kind === 'docker-run')
    if (entry?.kind !== 'docker-run') throw new Error('the run was not journalled')
    expect(entry.host).toBe(engine.host)
    expect(await removeDockerRun(entry.run, entry.host)).toHaveLength(2)
    const filters = JSON.stringify({ label: [`nemesis.run=${other.run}`] })
    expect(await (await engineAt(engine.host)).listContainers({ all: true, filters })).toEqual([])
  }, 60_000)
})
