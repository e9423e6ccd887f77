import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startClock } from '../../../src/history/clock.js'
import { healJournal } from '../../../src/nemesis/undo/heal-journal.js'
import { openJournal } from '../../../src/nemesis/undo/file-journal.js'
import type { Lifecycle, Network } from '../../../src/systems/capabilities.js'
import { engineAt } from '../../../src/systems/docker/engine.js'
import { ensureImage } from '../../../src/systems/docker/images/ensure.js'
import { docker } from '../../../src/systems/docker/index.js'
import type { NodeProvider, SystemNode } from '../../../src/systems/system.js'
import { openEntries } from '../../support/open-entries.js'
import { requires } from '../../support/requirements.js'
import { cli, echo, echoCommand, echoImage, freshRun, leftOf } from './containers.js'
import { createNetwork } from './unused-subnet.js'

const prefix = `nemesis-test-${process.pid}-adopted`
const names = [`${prefix}-a`, `${prefix}-b`]

/** Starts the system; it is let go of when the test is over. */
async function start(provider: NodeProvider, runId = freshRun()) {
  const logsDir = await mkdtemp(join(tmpdir(), 'nemesis-logs-'))
  onTestFinished(() => rm(logsDir, { recursive: true, force: true }))
  const journal = openEntries()
  const signal = new AbortController().signal
  const system = await provider.start({ runId, logsDir, clock: startClock(), journal, signal })
  onTestFinished(() => system.stop())
  return {
    system,
    lifecycle: system.lifecycle as Lifecycle,
    network: system.network as Network,
    journal,
    logsDir,
    runId,
  }
}

requires('docker', 'busybox')('containers that another tool has started', () => {
  let ips: readonly string[] = []
  const stateOf = (name: string) => cli('inspect', '-f', '{{.State.Status}}', name)

  beforeAll(async () => {
    const image = await ensureImage(await engineAt(null), echoImage)
    const subnet = await createNetwork(prefix)
    ips = [subnet.address(2), subnet.address(3)]
    for (const [i, name] of names.entries()) {
      const publish = ['-p', '127.0.0.1::7000', '--network', prefix, '--ip', ips[i] as string]
      await cli('run', '-d', '--name', name, ...publish, image, ...echoCommand)
    }
  })
  afterAll(async () => {
    await cli('rm', '-f', ...names)
    await cli('network', 'rm', prefix)
  })

  test('are nodes by name, by id, and by an object that knows its id', async () => {
    const id = await cli('inspect', '-f', '{{.Id}}', names[1] as string)
    const { system, logsDir } = await start(
      docker.adopt([names[0] as string, { getId: () => id }], { ports: [7000], names: ['first', 'second'] }),
    )
    expect(system.nodes.map(({ name }) => name)).toEqual(['first', 'second'])
    for (const node of system.nodes) expect(await echo(node.address(7000))).toBe('hello')
    expect(String(system.nodes[1]?.address(7000))).toBe(`${ips[1]}:7000`)
    expect(() => system.nodes[0]?.address(7001)).toThrow(/port 7001 was not declared/)
    expect((await system.exec!.run('second', ['cat'], { input: 'here' })).stdout).toBe('here')
    await system.exec!.run('first', ['sh', '-c', 'echo seen > /proc/1/fd/1'])
    await expect.poll(() => readFile(join(logsDir, 'first.log'), 'utf8')).toContain('seen')
  })

  test('are left as they were: what faults have done is healed', async () => {
    const { system, lifecycle, network, journal, runId } = await start(docker.adopt(names, { ports: [7000] }))
    await lifecycle.kill('n1')
    await lifecycle.pause('n2')
    await network.block([{ from: 'clients', to: 'n2' }], 'drop')
    expect(await Promise.all(names.map(stateOf))).toEqual(['exited', 'paused'])
    expect([...journal.entries.values()].map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['processes', 'docker-start', 'docker-unpause', 'docker-nft-table']),
    )
    await system.stop()
    expect(await Promise.all(names.map(stateOf))).toEqual(['running', 'running'])
    expect([...journal.entries.values()]).toEqual([])
    expect(await leftOf(runId)).toEqual([])
    expect(await cli('exec', names[0] as string, 'sh', '-c', `echo hi | nc -w 20 ${ips[1]} 7000`)).toBe('hi')
  })

  test('meet faults of the network', async () => {
    const { system, network } = await start(docker.adopt(names, { ports: [7000] }))
    const call = async (seconds: number) =>
      (await system.exec!.run('n1', ['sh', '-c', `echo hi | nc -w ${seconds} ${ips[1]} 7000`])).stdout
    const rule = await network.block([{ from: 'n1', to: 'n2' }], 'drop')
    expect(await call(2)).toBe('')
    expect((await rule.counters())[0]?.met).toBeGreaterThan(0)
    expect(await echo(system.nodes[1]!.address(7000))).toBe('hello')
    await rule.remove()
    expect(await call(20)).toBe('hi\n')
  })

  test('are healed by another process when the run has died', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'nemesis-journal-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    const journal = await openJournal(freshRun(), directory)
    onTestFinished(() => journal.finish())
    const logsDir = join(directory, 'logs')
    const signal = new AbortController().signal
    const system = await docker
      .adopt(names, { ports: [7000] })
      .start({ runId: freshRun(), logsDir, clock: startClock(), journal, signal })
    onTestFinished(() => system.stop())
    await system.network!.block([{ from: 'n1', to: 'n2' }], 'drop')
    await system.lifecycle!.pause('n2')
    await system.lifecycle!.stop('n1', 1_000)
    const healed = await healJournal(journal.file)
    expect(healed.filter(({ undone }) => !undone)).toEqual([])
    expect(await Promise.all(names.map(stateOf))).toEqual(['running', 'running'])
  })

  test('are reached where they publish, also after a restart has changed it', async () => {
    const { system, lifecycle } = await start(
      docker.adopt(names[0] as string, { ports: [7000], reach: 'published' }),
    )
    const published = () => cli('port', names[0] as string, '7000')
    expect(String(system.nodes[0]!.address(7000))).toBe(await published())
    await lifecycle.kill('n1')
    await lifecycle.start('n1')
    expect(String(system.nodes[0]!.address(7000))).toBe(await published())
    await expect.poll(() => echo(system.nodes[0]!.address(7000))).toBe('hello')
    const closed = docker.adopt(names[0] as string, { ports: [7000, 7009], reach: 'published' })
    const { system: other } = await start(closed)
    expect(() => other.nodes[0]!.address(7009)).toThrow(/port 7009 cannot be reached from here[^]*publish it/)
  })

  test('are found again when they have another address after a restart', async () => {
    const image = await ensureImage(await engineAt(null), echoImage)
    const [moving, taker] = [`${prefix}-moving`, `${prefix}-taker`]
    const run = (name: string) => cli('run', '-d', '--name', name, '--network', prefix, image, ...echoCommand)
    onTestFinished(async () => void (await cli('rm', '-f', moving, taker)))
    await run(moving)
    const { system, lifecycle, network } = await start(docker.adopt(moving, { ports: [7000] }))
    const [node] = system.nodes as [SystemNode]
    const before = node.address(7000).host
    await lifecycle.kill('n1')
    await run(taker)
    await lifecycle.start('n1')
    expect(node.address(7000).host).not.toBe(before)
    await expect.poll(() => echo(node.address(7000))).toBe('hello')
    const rule = await network.block([{ from: 'clients', to: 'n1' }], 'drop')
    expect(await echo(node.address(7000), 500)).toBe('timeout')
    await rule.remove()
    expect(await echo(node.address(7000))).toBe('hello')
  })

  test('must be there, run, and be different ones', async () => {
    await expect(start(docker.adopt('no-such', { ports: [7000] }))).rejects.toThrow(
      /n1: there is no container no-such/,
    )
    await expect(start(docker.adopt([names[0]!, names[0]!], { ports: [7000] }))).rejects.toThrow(
      /n1 and n2 are the same container/,
    )
    const idle = `${prefix}-idle`
    await cli(
      'create',
      '--name',
      idle,
      '--network',
      prefix,
      await ensureImage(await engineAt(null), echoImage),
    )
    onTestFinished(async () => void (await cli('rm', '-f', idle)))
    await expect(start(docker.adopt(idle, { ports: [7000] }))).rejects.toThrow(/does not run/)
  })

  test('offer no network faults when they share a network with others', async () => {
    const sharing = `${prefix}-sharing`
    const image = await ensureImage(await engineAt(null), echoImage)
    await cli('run', '-d', '--name', sharing, '--network', 'host', image, 'sh', '-c', 'sleep 60')
    onTestFinished(async () => void (await cli('rm', '-f', sharing)))
    const { system } = await start(docker.adopt(sharing, { ports: [7000] }))
    expect(system.network).toBeNull()
    expect(String(system.nodes[0]!.address(7000))).toBe('127.0.0.1:7000')
  })
})

test('options of adopt are checked', () => {
  expect(() => docker.adopt([], { ports: [7000] })).toThrow(/name at least one container/)
  expect(() => docker.adopt('a', { ports: [] })).toThrow(/name at least one port/)
  expect(() => docker.adopt(['a', 'b'], { ports: [1], names: ['x'] })).toThrow(/as many names as containers/)
  expect(() => docker.adopt('a', { ports: [1], names: ['clients'] })).toThrow(/"clients" stands for/)
  expect(() => docker.adopt(7 as never, { ports: [1] })).toThrow(/an object with getId/)
})
