import { existsSync } from 'node:fs'
import { readFile, readdir, realpath, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { DeclarationError, EnvironmentError, SystemError } from '../../../src/errors.js'
import { startClock } from '../../../src/history/clock.js'
import type { Undo } from '../../../src/nemesis/undo/journal.js'
import { processes } from '../../../src/systems/process/processes.js'
import type { ProcessesOptions } from '../../../src/systems/process/options.js'
import type { SystemNode } from '../../../src/systems/system.js'
import { LineClient, within } from '../line-client.js'
import { MemoryJournal, startLineServers } from '../running.js'

const onLinux = process.platform === 'linux'

function client(node: SystemNode | undefined): LineClient {
  const made = new LineClient((node as SystemNode).address(7000))
  onTestFinished(() => made.close())
  return made
}

/** Pids of all processes that carry the run's mark, from the kernel. */
async function processesOf(runId: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const marked = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
      return environment.split('\0').includes(`NEMESIS_RUN=${runId}`) ? [pid] : []
    }),
  )
  return marked.flat()
}

describe('a running system', () => {
  test('hands out ports, environment, directories and names', async () => {
    const { nodes, launches } = await startLineServers({
      count: 2,
      names: (index) => ['left', 'right'][index] as string,
      cwd: '/',
      env: ({ peers }) => ({ PEERS: peers.join() }),
    })
    const [left, right] = nodes.map(client)
    expect(await left?.ask('ping')).toBe('pong left')
    expect(await right?.ask('ping')).toBe('pong right')
    expect(await left?.ask('cwd')).toBe('/')
    const toRight = launches[0]?.peers[0]
    expect(toRight?.name).toBe('right')
    expect(await left?.ask('env PEERS')).toBe(String(toRight?.address(7000)))
    expect(new Set(launches.map(({ dataDir }) => dataDir)).size).toBe(2)
    expect(() => nodes[0]?.address(7001)).toThrow(/left has no port 7001[^]*declared are 7000/)
  })

  test('leads clients and peers through the proxy, and round it when that is off', async () => {
    const proxied = await startLineServers({ count: 2 })
    const real = proxied.launches.map(({ listen }) => listen(7000))
    expect(real).not.toContain(proxied.nodes[0]?.address(7000).port)
    expect(real).not.toContain(proxied.launches[0]?.peers[0]?.address(7000).port)
    expect(proxied.launches[0]?.self(7000).port).toBe(real[0])

    const direct = await startLineServers({ count: 2, proxy: false })
    expect(direct.running.network).toBeNull()
    expect(direct.nodes[1]?.address(7000).port).toBe(direct.launches[1]?.listen(7000))
    expect(direct.launches[0]?.peers[0]?.address(7000).port).toBe(direct.launches[1]?.listen(7000))

    const peersOnly = await startLineServers({ count: 2, proxy: { clients: false } })
    expect(peersOnly.network.links).toEqual([
      { from: 'n1', to: 'n2' },
      { from: 'n2', to: 'n1' },
    ])
  })

  test('gives two systems different ports', async () => {
    const systems = await Promise.all([startLineServers({ count: 3 }), startLineServers({ count: 3 })])
    const ports = systems.flatMap(({ launches }) => launches.map(({ listen }) => listen(7000)))
    expect(new Set(ports).size).toBe(6)
  })

  test('leaves nothing behind when stopped twice', { skip: !onLinux }, async () => {
    const { running, runId, journal, launches, lifecycle, nodes } = await startLineServers({
      count: 2,
      env: () => ({ GRANDCHILD: '1', STUBBORN: '1' }),
      stopGraceMs: 50,
    })
    await lifecycle.pause('n2')
    expect((await processesOf(runId)).length).toBe(4)
    const address = nodes[0]?.address(7000)
    await Promise.all([running.stop(), running.stop()])
    expect(await processesOf(runId)).toEqual([])
    expect(journal.open_.size).toBe(0)
    expect(launches.map(({ dataDir }) => existsSync(dataDir))).toEqual([false, false])
    const late = new LineClient(address as NonNullable<typeof address>)
    await expect(late.ask('ping')).rejects.toThrow(/ECONNREFUSED/)
    await expect(lifecycle.start('n1')).rejects.toThrow(SystemError)
  })

  test('journals before it spawns, and each process by its start time', { skip: !onLinux }, async () => {
    const { journal, lifecycle, runId, logsDir } = await startLineServers()
    const { pid } = await lifecycle.state('n1')
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1')
    const startTime = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    expect(journal.all.map(({ kind }) => kind)).toEqual(['processes', 'directory', 'process'])
    const [processes, , process_] = journal.all
    expect(processes).toEqual({ kind: 'processes', run: runId, logs: await realpath(logsDir) })
    expect(process_).toEqual({ kind: 'process', pid, startTime })
    expect(journal.open_.size).toBe(3)
  })
})

describe('lifecycle', () => {
  test('kill ends the whole group at once, start brings node, port and data back', async () => {
    const { lifecycle, nodes, runId, launches, logsDir } = await startLineServers({
      env: () => ({ GRANDCHILD: '1' }),
    })
    const before = await lifecycle.state('n1')
    expect(before).toMatchObject({ status: 'running', exitCode: null, exitSignal: null })
    await client(nodes[0]).ask('keep something')
    await lifecycle.kill('n1')
    expect(await lifecycle.state('n1')).toMatchObject({ status: 'exited', exitSignal: 'SIGKILL', pid: null })
    expect(await lifecycle.probe('n1', 20_000)).toBe('refused')
    if (onLinux) expect(await processesOf(runId)).toEqual([])
    await lifecycle.kill('n1')

    await lifecycle.start('n1')
    await lifecycle.start('n1')
    const after = await lifecycle.state('n1')
    expect(after.status).toBe('running')
    expect(after.startedAt).not.toBe(before.startedAt)
    expect(await lifecycle.probe('n1', 20_000)).toBe('answers')
    expect(await client(nodes[0]).ask('kept')).toBe('something')
    const log = await readFile(join(logsDir, 'n1.log'), 'utf8')
    expect(log).toMatch(
      /--- n1: start 1 at [^]*n1 listens on (\d+)\n--- n1: start 2 at [^]*n1 listens on \1\n/,
    )
    expect(log).toContain(`listens on ${launches[0]?.listen(7000)}`)
  })

  test('stop lets a node end by itself, and kills one that does not', async () => {
    const { lifecycle, logsDir } = await startLineServers({
      count: 2,
      env: ({ name }): Record<string, string> => (name === 'n2' ? { STUBBORN: '1' } : {}),
    })
    await lifecycle.stop('n1', 10_000)
    expect(await lifecycle.state('n1')).toMatchObject({ status: 'exited', exitCode: 0, exitSignal: null })
    await lifecycle.stop('n2', 100)
    expect(await lifecycle.state('n2')).toMatchObject({ status: 'exited', exitSignal: 'SIGKILL' })
    expect(await readFile(join(logsDir, 'n2.log'), 'utf8')).toContain('n2 got SIGTERM')
  })

  test('pause stops the whole group and its clock, resume lets it answer what came meanwhile', async () => {
    const { lifecycle, nodes, journal, runId } = await startLineServers({ env: () => ({ GRANDCHILD: '1' }) })
    const one = client(nodes[0])
    await one.ask('ping')
    await lifecycle.pause('n1')
    const paused = await lifecycle.state('n1')
    expect(paused.status).toBe('paused')
    if (onLinux) {
      for (const pid of await processesOf(runId)) {
        expect(await readFile(`/proc/${pid}/status`, 'latin1')).toMatch(/^State:\tT/m)
      }
    }
    expect([...journal.open_.values()]).toContainEqual(
      expect.objectContaining({ kind: 'resume', pid: paused.pid }),
    )
    const answer = one.ask('ping')
    expect(await within(answer, 300)).toBe('late')
    expect((await lifecycle.state('n1')).cpuMs).toBe(paused.cpuMs)
    // The kernel accepts on behalf of a paused process.
    expect(await lifecycle.probe('n1', 20_000)).toBe('answers')
    await lifecycle.resume('n1')
    expect(await answer).toBe('pong n1')
    expect((await lifecycle.state('n1')).status).toBe('running')
    expect([...journal.open_.values()].map(({ kind }) => kind)).not.toContain('resume')
    await lifecycle.resume('n1')
  })

  test('a paused node can be killed and stopped, an ended one not paused', async () => {
    const { lifecycle } = await startLineServers({ count: 2 })
    await lifecycle.pause('n1')
    await lifecycle.kill('n1')
    await lifecycle.pause('n2')
    await lifecycle.stop('n2', 5_000)
    expect(await lifecycle.state('n2')).toMatchObject({ status: 'exited', exitCode: 0 })
    await expect(lifecycle.pause('n1')).rejects.toThrow(/n1 cannot be paused: it has ended/)
    await lifecycle.resume('n1')
    await expect(lifecycle.kill('n3')).rejects.toThrow(/no node 'n3'[^]*n1, n2/)
  })

  test('a node that ends by itself shows its exit code, and can be started again', async () => {
    const { lifecycle, nodes } = await startLineServers()
    await client(nodes[0])
      .ask('die 7')
      .catch(() => null)
    await vi.waitFor(
      async () => expect(await lifecycle.state('n1')).toMatchObject({ status: 'exited', exitCode: 7 }),
      20_000,
    )
    await lifecycle.start('n1')
    expect(await client(nodes[0]).ask('ping')).toBe('pong n1')
  })

  test(
    'a probe does not wait for ever on a paused node whose backlog is full',
    { skip: !onLinux },
    async () => {
      const { lifecycle, launches } = await startLineServers({ env: () => ({ BACKLOG: '1' }) })
      await lifecycle.pause('n1')
      const waiting = Array.from({ length: 4 }, () =>
        connect({ host: '127.0.0.1', port: launches[0]?.listen(7000) as number }),
      )
      onTestFinished(() => {
        for (const socket of waiting) socket.on('error', () => {}).destroy()
      })
      await vi.waitFor(async () => expect(await lifecycle.probe('n1', 200)).toBe('silent'), 20_000)
    },
  )
})

describe('what goes wrong at the start', () => {
  test('a node that ends at once gives its exit code and its last words, and nothing stays', async () => {
    const error = await startLineServers({
      count: 2,
      env: ({ name }): Record<string, string> => (name === 'n2' ? { DIE: '3' } : {}),
    }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SystemError)
    expect(String(error)).toMatch(
      /node n2 ended at once with exit code 3[^]*cannot open the ledger: disk on fire/,
    )
    expect(String(error)).toMatch(/Full log: .*n2\.log/)
  })

  test('a program that is not there is missing, before and at the start', async () => {
    const options: ProcessesOptions = { command: ['no-such-server-9'], count: 1, ports: [1] }
    expect(await processes(options).missing()).toEqual([
      { what: 'no-such-server-9', hint: expect.stringContaining('PATH') },
    ])
    expect(
      await processes({ ...options, command: ({ listen }) => ['./nowhere', String(listen(1))] }).missing(),
    ).toEqual([expect.objectContaining({ what: './nowhere' })])
    expect(await processes({ ...options, command: [process.execPath] }).missing()).toEqual([])
    expect(await processes({ ...options, command: ['node'] }).missing()).toEqual([])
    await expect(startLineServers({ command: ['no-such-server-9'] })).rejects.toThrow(EnvironmentError)
  })

  test('a run that has been called off starts nothing', async () => {
    const journal = new MemoryJournal()
    const reason = new Error('called off')
    const start = processes({ command: ['sleep', '60'], count: 1, ports: [1] }).start({
      runId: 'off',
      logsDir: join(tmpdir(), `nemesis-off-${process.pid}`),
      clock: startClock(),
      journal,
      signal: AbortSignal.abort(reason),
    })
    await expect(start).rejects.toBe(reason)
    expect(journal.all.map(({ kind }) => kind)).not.toContain('process')
    expect(journal.open_.size).toBe(0)
    await rm(join(tmpdir(), `nemesis-off-${process.pid}`), { recursive: true, force: true })
  })

  test('a process whose journal entry cannot be written is ended', { skip: !onLinux }, async () => {
    class FullJournal extends MemoryJournal {
      override open(undo: Undo): Promise<string> {
        return undo.kind === 'process' ? Promise.reject(new Error('disk full')) : super.open(undo)
      }
    }
    const runId = `full-${process.pid}`
    const logsDir = join(tmpdir(), runId)
    const start = processes({ command: ['sleep', '60'], count: 1, ports: [1] }).start({
      runId,
      logsDir,
      clock: startClock(),
      journal: new FullJournal(),
      signal: new AbortController().signal,
    })
    await expect(start).rejects.toThrow('disk full')
    expect(await processesOf(runId)).toEqual([])
    await rm(logsDir, { recursive: true, force: true })
  })

  test.each<[string, unknown, RegExp]>([
    ['no command', { count: 1, ports: [1] }, /command/],
    ['an empty command', { command: [], count: 1, ports: [1] }, /command/],
    ['no nodes', { command: ['x'], count: 0, ports: [1] }, /count/],
    ['no ports', { command: ['x'], count: 1, ports: [] }, /at least one port/],
    ['a port twice', { command: ['x'], count: 1, ports: [1, 1] }, /listed twice/],
    ['an unknown option', { command: ['x'], count: 1, ports: [1], shell: true }, /shell/],
    ['a name twice', { command: ['x'], count: 2, ports: [1], names: () => 'n' }, /two nodes the name 'n'/],
    ['a reserved name', { command: ['x'], count: 1, ports: [1], names: () => 'clients' }, /not 'clients'/],
    ['a wrong proxy', { command: ['x'], count: 1, ports: [1], proxy: 'yes' }, /proxy/],
  ])('%s is refused when it is declared', (_, options, message) => {
    expect(() => processes(options as ProcessesOptions)).toThrow(DeclarationError)
    expect(() => processes(options as ProcessesOptions)).toThrow(message)
  })

  test('a function that returns something wrong is named with the node', async () => {
    await expect(startLineServers({ command: () => 'node' as never })).rejects.toThrow(
      /`command` returned something wrong for node n1/,
    )
    await expect(
      startLineServers({
        env: () => {
          throw new Error('no region')
        },
      }),
    ).rejects.toThrow(/`env` threw for node n1: Error: no region/)
  })
})
