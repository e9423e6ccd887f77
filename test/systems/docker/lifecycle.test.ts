import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SystemError } from '../../../src/errors.js'
import { startClock } from '../../../src/history/clock.js'
import { docker } from '../../../src/systems/docker/index.js'
import { requires } from '../../support/requirements.js'
import { temporaryDirectory } from '../../support/temporary.js'
import {
  cli,
  echo,
  echoCommand,
  echoImage,
  freshRun,
  leftOf,
  leftOfTests,
  startContainers,
  type Containers,
} from './containers.js'

async function started(...options: Parameters<typeof startContainers>): Promise<Containers> {
  const containers = await startContainers(...options)
  onTestFinished(() => containers.stop())
  return containers
}

requires('docker', 'busybox')('the life of a container', () => {
  test('kill, stop, pause, resume and start show in its state; address, data and log outlive them', async () => {
    const { lifecycle, node, inside, logsDir, open } = await started()
    const address = node('n1').address(7000)
    expect(await echo(address)).toBe('hello')
    await inside('n1', 'sh', '-c', 'echo kept > /data/file')
    const first = await lifecycle.state('n1')
    expect(first).toMatchObject({ status: 'running', exitCode: null, exitSignal: null })
    expect(first.cpuMs).toBeGreaterThan(0)

    await lifecycle.kill('n1')
    expect(await lifecycle.state('n1')).toMatchObject({
      status: 'exited',
      exitCode: 137,
      exitSignal: 'SIGKILL',
      pid: null,
    })
    expect(await lifecycle.probe('n1', 300)).not.toBe('answers')

    await lifecycle.start('n1')
    const second = await lifecycle.state('n1')
    expect(second.status).toBe('running')
    expect(second.startedAt).not.toBe(first.startedAt)
    expect(second.pid).not.toBe(first.pid)
    await vi.waitFor(async () => expect(await echo(address)).toBe('hello'), { timeout: 20_000 })
    expect(await inside('n1', 'cat', '/data/file')).toBe('kept')

    await lifecycle.pause('n1')
    await lifecycle.pause('n1')
    const paused = await lifecycle.state('n1')
    expect(paused.status).toBe('paused')
    expect([...open.values()].map(({ kind }) => kind)).toEqual(['docker-run', 'docker-unpause'])
    expect(await echo(address, 300)).toBe('timeout')
    expect((await lifecycle.state('n1')).cpuMs).toBe(paused.cpuMs)
    await lifecycle.resume('n1')
    expect([...open.values()].map(({ kind }) => kind)).toEqual(['docker-run'])
    expect(await echo(address)).toBe('hello')

    // As the first process of its container, the server has no handler for SIGTERM and must be killed in the end.
    await lifecycle.stop('n1', 100)
    expect(await lifecycle.state('n1')).toMatchObject({ status: 'exited', exitSignal: 'SIGKILL' })
    expect(await lifecycle.probe('n2', 20_000)).toBe('answers')
    await expect.poll(() => readFile(join(logsDir, 'n1.log'), 'utf8')).toBe('started\nstarted\n')
  })

  test('stop ends a node that takes the signal with its own exit code, even one that is paused', async () => {
    const command = [
      'sh',
      '-c',
      "trap 'exit 7' TERM; nc -ll -p 7000 -e cat & while true; do sleep 0.05; done",
    ]
    const { lifecycle } = await started({ count: 1, command })
    await lifecycle.pause('n1')
    await lifecycle.stop('n1', 10_000)
    expect(await lifecycle.state('n1')).toMatchObject({ status: 'exited', exitCode: 7, exitSignal: null })
  })

  test('a start by somebody else shows in the state and in the log', async () => {
    const { lifecycle, run, logsDir } = await started({ count: 1 })
    const before = await lifecycle.state('n1')
    await lifecycle.kill('n1')
    await cli('start', `nemesis-${run}-n1`)
    await vi.waitFor(
      async () => {
        expect((await lifecycle.state('n1')).startedAt).not.toBe(before.startedAt)
        expect(await readFile(join(logsDir, 'n1.log'), 'utf8')).toBe('started\nstarted\n')
      },
      { timeout: 20_000 },
    )
  })

  test('nodes reach one another by the addresses that they are given, and by name', async () => {
    const told: Record<string, string> = {}
    const { inside, node } = await started({
      env: ({ name, peers, self, dataDir }) => {
        told[name] = `${self(7000)} ${peers.join()} ${dataDir}`
        return { PEERS: peers.join() }
      },
    })
    const [one, two] = [node('n1').address(7000), node('n2').address(7000)]
    expect(told).toEqual({ n1: `${one} ${two} /data`, n2: `${two} ${one} /data` })
    expect(await inside('n1', 'sh', '-c', 'echo $PEERS')).toBe(String(two))
    expect(await inside('n1', 'sh', '-c', 'echo by-name | nc -w 20 n2 7000')).toBe('by-name')
    expect(() => node('n1').address(7001)).toThrow(SystemError)
    expect(() => node('n1').address(7001)).toThrow(/n1: port 7001 was not declared[^]*7000/)
  })

  test('published ports stay the same over a restart', async () => {
    const { lifecycle, node } = await started({ count: 1, reach: 'published' })
    const address = node('n1').address(7000)
    expect(address.host).toBe('127.0.0.1')
    expect(await echo(address)).toBe('hello')
    await lifecycle.kill('n1')
    expect(await lifecycle.probe('n1', 20_000)).toBe('refused')
    await lifecycle.start('n1')
    await vi.waitFor(async () => expect(await echo(address)).toBe('hello'), { timeout: 20_000 })
    expect(await lifecycle.probe('n1', 20_000)).toBe('answers')
  })

  test('clients that come by a published port can be cut off', async () => {
    const { network, node } = await started({ count: 1, reach: 'published' })
    const rule = await network.block([{ from: 'clients', to: 'n1' }], 'drop')
    expect(await echo(node('n1').address(7000), 500)).toBe('timeout')
    expect((await rule.counters())[0]?.met).toBeGreaterThan(0)
    await rule.remove()
    expect(await echo(node('n1').address(7000))).toBe('hello')
  })

  test('a user by number owns the data directory', async () => {
    const { inside } = await started({ count: 1, user: '1234:1234', tmpfs: { '/scratch': 'size=1m' } })
    expect(
      await inside('n1', 'sh', '-c', 'id -u; touch /data/x && stat -c %a:%u /data; df /scratch | tail -1'),
    ).toMatch(/^1234\n700:1234\ntmpfs +1024 /)
  })
})

requires('docker', 'busybox')('a container that cannot start', () => {
  test('is reported at once with image, exit code and last words, and nothing is left', async () => {
    const began = performance.now()
    const start = startContainers({ command: ['sh', '-c', 'echo no config file >&2; exit 3'] })
    await expect(start).rejects.toThrow(SystemError)
    await expect(start).rejects.toThrow(
      /n\d \(image nemesis-test-echo:[0-9a-f]+\) exited with code 3; the last it printed:\nno config file/,
    )
    expect(await leftOfTests()).toEqual([])
    expect(performance.now() - began).toBeLessThan(30_000)
  })

  test('is reported with the command that the image does not have', async () => {
    const start = startContainers({ count: 1, command: ['no-such-program'] })
    await expect(start).rejects.toThrow(/n1 \(image nemesis-test-echo:\S+\) cannot start: .*no-such-program/)
  })

  test('an image that is not there is missing, with what to do', async () => {
    const start = startContainers({ image: 'nemesis-test-absent:1' })
    await expect(start).rejects.toThrow(/no image nemesis-test-absent:1[^]*docker pull/)
  })

  test.each([0, 300])('a run that is cancelled after %d ms leaves nothing', async (afterMs) => {
    const provider = docker({ image: echoImage, count: 2, ports: [7000], command: echoCommand })
    const run = freshRun()
    const open = new Set<string>()
    const start = provider.start({
      runId: run,
      logsDir: await temporaryDirectory(),
      clock: startClock(),
      signal: AbortSignal.timeout(afterMs),
      journal: {
        async open({ kind }) {
          open.add(kind)
          return kind
        },
        close: async (id) => void open.delete(id),
      },
    })
    await expect(start).rejects.toThrow(/timeout/)
    expect(await leftOf(run)).toEqual([])
    expect([...open]).toEqual([])
  })
})
