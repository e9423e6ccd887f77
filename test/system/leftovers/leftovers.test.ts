import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readlink, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import type { NodeClocks } from '../../../src/systems/capabilities.js'
import { nodeClocks } from '../../../src/systems/clock/node-clocks.js'
import { engineAt } from '../../../src/systems/docker/engine.js'
import { ensureImage } from '../../../src/systems/docker/images/ensure.js'
import { openEntries } from '../../support/open-entries.js'
import { requires } from '../../support/requirements.js'
import { cli, echoCommand, echoImage, freshRun } from '../../systems/docker/containers.js'
import { createNetwork } from '../../systems/docker/unused-subnet.js'
import { watchLeftovers } from './watch.mjs'

let run: string
let state: string
let temporary: string
let leftovers: ReturnType<typeof watchLeftovers>
beforeEach(async () => {
  run = freshRun()
  state = await mkdtemp(join(tmpdir(), 'nemesis-leftovers-'))
  temporary = join(state, 'tmp')
  await mkdir(temporary)
  leftovers = watchLeftovers({ state, temporary, docker: true })
})
afterEach(async () => {
  await leftovers.remove()
  await rm(state, { recursive: true, force: true })
})

/** The journal by which the search learns of a run; it waits until it has. */
async function plantJournal(): Promise<void> {
  const file = join(state, 'undo', `${run}-1.ndjson`)
  await writeFile(file, '')
  await expect.poll(() => leftovers.look()).toContain(`journal ${run}-1.ndjson`)
  await rm(file)
}

function command(...argv: string[]): string {
  return execFileSync(argv[0] as string, argv.slice(1), { encoding: 'utf8', stdio: 'pipe', timeout: 60_000 })
}

/** A process that lives until the end of the test; by itself nothing leads from it to the run. */
async function plantProcess(env: NodeJS.ProcessEnv, output: string | null = null): Promise<ChildProcess> {
  const shell = output === null ? 'exec sleep 120' : `exec sleep 120 >${output}`
  const child = spawn('sh', ['-c', shell], { env: { PATH: process.env['PATH'], ...env }, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'spawn')
  return child
}

/** The search finds what matches, and nothing of it any more once it is taken away by `remove`. */
async function foundUntilRemoved(remove: () => unknown, ...kinds: RegExp[]): Promise<void> {
  await expect
    .poll(async () => {
      const found = await leftovers.look()
      return kinds.filter((kind) => !found.some((one) => kind.test(one)))
    })
    .toEqual([])
  await remove()
  await expect.poll(() => leftovers.look()).toEqual([])
}

requires('linux', 'root')('the search for leftovers', () => {
  it('finds a journal and a temporary file', async () => {
    const files = [join(state, 'undo', `${run}-1.ndjson`), join(temporary, 'nemesis-data-1')]
    for (const file of files) await writeFile(file, '')
    await foundUntilRemoved(
      () => Promise.all(files.map((file) => rm(file))),
      /^journal /,
      /^temporary nemesis-data-1$/,
    )
  })

  it('finds a process by the environment of the run, and whether it is stopped', async () => {
    const child = await plantProcess({ NEMESIS_STATE_DIR: state, NEMESIS_RUN: run })
    child.kill('SIGSTOP')
    await foundUntilRemoved(() => child.kill('SIGKILL'), new RegExp(`^stopped node ${child.pid} `))
  })

  it('finds a process that has no environment by where it writes to, even into a removed file', async () => {
    const logs = join(temporary, 'logs')
    await mkdir(logs)
    const child = await plantProcess({}, join(logs, 'n1.log'))
    await foundUntilRemoved(
      async () => {
        await rm(logs, { recursive: true })
        expect(await leftovers.look()).toHaveLength(1)
        child.kill('SIGKILL')
      },
      new RegExp(`^process ${child.pid} `),
    )
  })

  it('finds a mount', async () => {
    const directory = join(temporary, 'disk')
    await mkdir(directory)
    command('mount', '-t', 'tmpfs', '-o', 'size=1m', 'none', directory)
    await foundUntilRemoved(() => command('umount', directory), /^mount .*\/disk$/)
  })

  it('finds a namespace that the run has named, and the link into it', async () => {
    await plantJournal()
    const name = `nemesis-${createHash('sha256').update(run).digest('hex').slice(0, 8)}`
    command('ip', 'netns', 'add', name)
    const link = `nemesis${process.pid.toString(16).padStart(8, '0')}`
    command('ip', 'link', 'add', link, 'type', 'veth', 'peer', 'name', 'uplink', 'netns', name)
    await foundUntilRemoved(
      () => command('ip', 'netns', 'delete', name),
      new RegExp(`^namespace ${name}$`),
      new RegExp(`^link ${link}$`),
    )
  })
})

requires(
  'linux',
  'root',
  'ext4',
)('the search for loop devices', () => {
  it('finds one, even when its file has been removed', async () => {
    const image = join(temporary, 'image')
    await writeFile(image, '')
    await truncate(image, 1 << 20)
    const device = command('losetup', '--find', '--show', image).trim()
    await rm(image)
    await foundUntilRemoved(() => command('losetup', '-d', device), /^loop device loop\d+ of /)
  })
})

requires(
  'linux',
  'root',
  'x64',
  'cc',
)('the search for changed clocks', () => {
  it('finds one', async () => {
    const { pid = 0 } = await plantProcess({ NEMESIS_STATE_DIR: state })
    const clocks = nodeClocks({ journal: openEntries(), pidOf: async () => pid })
    const rule = await (clocks as NodeClocks).skew('n1', 60_000)
    expect(await leftovers.look()).toContain(`clock of process ${pid}`)
    await rule.remove()
    expect(await leftovers.look()).toEqual([expect.stringContaining(`process ${pid}`)])
  })
})

requires(
  'docker',
  'root',
  'linux',
  'nft',
  'busybox',
)('the search for leftovers of containers', () => {
  it('finds containers, networks and volumes of the run and of its parts, and those of no other', async () => {
    await plantJournal()
    const image = await ensureImage(await engineAt(null), echoImage)
    const part = `${run}-part`
    const stranger = freshRun()
    onTestFinished(() => cli('rm', '-f', `${stranger}-c`).then(() => undefined))
    await createNetwork(`${run}-n`, '--label', `nemesis.run=${run}`)
    await cli('volume', 'create', '--label', `nemesis.run=${run}`, `${run}-v`)
    for (const [of, name] of [
      [run, `${run}-c`],
      [part, `${part}-c`],
      [stranger, `${stranger}-c`],
    ] as const) {
      await cli(
        ...['run', '-d', '--network', 'none', '--label', `nemesis.run=${of}`, '--name', name],
        ...[image, ...echoCommand],
      )
    }
    await cli('pause', `${run}-c`)
    await foundUntilRemoved(
      async () => {
        expect((await leftovers.look()).join('\n')).not.toContain(stranger)
        await cli('rm', '-f', `${run}-c`, `${part}-c`)
        await cli('network', 'rm', `${run}-n`)
        await cli('volume', 'rm', `${run}-v`)
      },
      new RegExp(`^container /${run}-c \\(paused\\)$`),
      new RegExp(`^container /${part}-c \\(running\\)$`),
      new RegExp(`^network ${run}-n$`),
      new RegExp(`^volume ${run}-v$`),
    )
  })

  it('finds rules of every kind in the namespace of a container, and the namespace when it outlives it', async () => {
    await plantJournal()
    const image = await ensureImage(await engineAt(null), echoImage)
    const name = `${run}-c`
    await cli('run', '-d', '--label', `nemesis.run=${run}`, '--name', name, image, ...echoCommand)
    const pid = await cli('inspect', '-f', '{{.State.Pid}}', name)
    const inside = (...argv: string[]) => command('nsenter', '-t', pid, '-n', ...argv)
    inside('nft', 'add', 'table', 'inet', 'nemesis_1')
    inside('iptables', '-N', 'NEMESIS_1_in')
    inside('iptables', '-A', 'NEMESIS_1_in', '-j', 'NFQUEUE', '--queue-num', '7')
    inside(...'tc qdisc add dev lo root handle 6e65: tbf rate 1mbit burst 10kb latency 100ms'.split(' '))
    const keeper = spawn('nsenter', ['-t', pid, '-n', 'sleep', '120'], {
      stdio: 'ignore',
      env: { ...process.env, NEMESIS_STATE_DIR: state },
    })
    onTestFinished(() => void keeper.kill('SIGKILL'))
    await once(keeper, 'spawn')
    await expect
      .poll(() => readlink(`/proc/${keeper.pid}/ns/net`))
      .toBe(await readlink(`/proc/${pid}/ns/net`))
    const rules = [
      /^rule nemesis_1$/,
      /^rule NEMESIS_1_in$/,
      /^rule .*-j NFQUEUE/,
      /^rule tbf 6e65: /,
    ] as const
    await foundUntilRemoved(
      async () => {
        await cli('rm', '-f', name)
        const found = await leftovers.look()
        expect(found).toContainEqual(expect.stringMatching(/^namespace \/proc\/\d+\/ns\/net$/))
        for (const rule of rules) expect(found).toContainEqual(expect.stringMatching(rule))
        keeper.kill('SIGKILL')
      },
      ...rules,
      new RegExp(`^container /${name} `),
    )
  })
})
