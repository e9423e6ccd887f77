import { execa } from 'execa'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { cgroupFiles, throttledMsOf } from '../../../src/environment/host/cgroups.js'
import { thisMachine } from '../../../src/environment/host/machine.js'
import { HostWatch } from '../../../src/environment/host/watch.js'
import { requires } from '../../support/requirements.js'
import { temporaryDirectory } from '../../support/temporary.js'

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A machine of which only these files can be read. */
function files(contents: Readonly<Record<string, string>>) {
  return (path: string) => {
    const content = contents[path]
    return content === undefined ? Promise.reject(new Error(`no ${path}`)) : Promise.resolve(content)
  }
}

const stat = 'cpu  3008158 40021 800211 1104649 9914 0 22199 4128 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n'

async function watching(directory: string) {
  const source = await thisMachine([{ name: 'temporary directory', path: directory }])
  const started = process.hrtime.bigint()
  const watch = new HostWatch({ source, now: () => Number(process.hrtime.bigint() - started) })
  onTestFinished(() => watch.stop())
  return watch
}

/** What other programs on the machine of the tests may bring about. */
const ofThisTest = (watch: HostWatch, kind: string) => watch.host.signals.filter((one) => one.kind === kind)

test('version 2 of control groups, and those above our own', async () => {
  const read = files({
    '/proc/self/cgroup': '0::/pod/app\n',
    '/sys/fs/cgroup/pod/app/cpu.stat': '',
    '/sys/fs/cgroup/pod/cpu.stat': '',
  })
  expect(await cgroupFiles({ controller: 'cpu', file: 'cpu.stat' }, read)).toEqual([
    '/sys/fs/cgroup/pod/app/cpu.stat',
    '/sys/fs/cgroup/pod/cpu.stat',
  ])
})

test('a group with a colon in its name, as some container runtimes have', async () => {
  const read = files({
    '/proc/self/cgroup': '0::/pod.slice:cri:abc\n',
    '/sys/fs/cgroup/pod.slice:cri:abc/cpu.stat': '',
  })
  expect(await cgroupFiles({ controller: 'cpu', file: 'cpu.stat' }, read)).toEqual([
    '/sys/fs/cgroup/pod.slice:cri:abc/cpu.stat',
  ])
})

test('version 1, by the controller, also seen from inside a container', async () => {
  const read = files({
    '/proc/self/cgroup': '4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n0::/\n',
    '/sys/fs/cgroup/cpu,cpuacct/cpu.stat': '',
  })
  expect(await cgroupFiles({ controller: 'cpu', file: 'cpu.stat' }, read)).toEqual([
    '/sys/fs/cgroup/cpu,cpuacct/cpu.stat',
  ])
})

test('throttled time of both versions, and of a group without a quota', () => {
  expect(throttledMsOf('nr_periods 10\nnr_throttled 3\nthrottled_usec 45000\n')).toBe(45)
  expect(throttledMsOf('nr_periods 10\nnr_throttled 3\nthrottled_time 45000000\n')).toBe(45)
  expect(throttledMsOf('usage_usec 12\n')).toBe(0)
})

test('readings are those of the files', async () => {
  const source = await thisMachine(
    [],
    files({
      '/proc/stat': stat,
      '/proc/vmstat': 'nr_free_pages 1\noom_kill 4\n',
      '/proc/self/cgroup': '0::/\n',
      '/sys/fs/cgroup/cpu.stat': 'throttled_usec 2500\n',
      '/sys/fs/cgroup/memory.events': 'oom 1\noom_kill 1\n',
    }),
  )
  onTestFinished(() => source.close())
  expect(source.unwatched).toEqual([])
  expect(await source.read()).toMatchObject({
    cpu: { stolen: 4_128, all: 4_989_280 },
    throttledMs: 2.5,
    oomKills: [4, 1],
    disks: [],
  })
})

test('what cannot be read is told', async () => {
  const source = await thisMachine(
    [],
    files({ '/proc/self/cgroup': '0::/\n', '/proc/stat': 'cpu  1 2 3 4\n' }),
  )
  onTestFinished(() => source.close())
  expect(source.unwatched).toEqual([
    '/proc/stat (steal): there is none',
    'cpu.stat (throttling): there is none',
    '/proc/vmstat (OOM kills): no /proc/vmstat',
    'memory.events (OOM kills): there is none',
  ])
  expect(await source.read()).toMatchObject({ cpu: null, throttledMs: null, oomKills: [] })
})

test('nothing is wrong with a machine on which nothing happens', async () => {
  const watch = await watching(await temporaryDirectory())
  await sleep(1_200)
  await watch.stop()
  expect(watch.samples.length).toBeGreaterThanOrEqual(3)
  expect(watch.host.watched).toEqual(expect.arrayContaining(['clocks', 'free space: temporary directory']))
  for (const kind of ['clock-step', 'disk-full', 'throttling']) expect(ofThisTest(watch, kind)).toEqual([])
})

test('a test process that stands still is seen', async () => {
  const watch = await watching(await temporaryDirectory())
  await sleep(100)
  const until = performance.now() + 900
  while (performance.now() < until);
  await sleep(50)
  await watch.stop()
  const [stall] = ofThisTest(watch, 'stall')
  expect(Number(/still for (\d+) ms/.exec(stall?.detail ?? '')?.[1])).toBeGreaterThan(700)
  expect(stall!.to_ts).toBeGreaterThan(900e6)
})

requires('root', 'linux')('a disk of its own', () => {
  test('that fills is seen, and that it has room again', async () => {
    const directory = join(await temporaryDirectory(), 'disk')
    await mkdir(directory)
    await execa('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'nemesis-test', directory])
    onTestFinished(async () => void (await execa('umount', [directory])))
    const watch = await watching(directory)
    await sleep(600)
    const ballast = join(directory, 'ballast')
    await expect(writeFile(ballast, Buffer.alloc(9 * 1_024 ** 2))).rejects.toThrow('ENOSPC')
    await sleep(700)
    await rm(ballast)
    await sleep(700)
    await watch.stop()
    const full = ofThisTest(watch, 'disk-full')
    expect(full).toMatchObject([{ detail: 'temporary directory: 0.0 of 8.0 MiB were free' }])
    expect(full[0]!.to_ts).toBeLessThan(watch.samples.at(-1)!.ts)
  })
})
