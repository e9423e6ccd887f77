import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { startClock } from '../../../src/history/clock.js'
import { docker } from '../../../src/systems/docker/index.js'
import { processes } from '../../../src/systems/process/processes.js'
import type { NodeProvider } from '../../../src/systems/system.js'
import { requires, type Requirement } from '../../support/requirements.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { echoCommand, echoImage, freshRun } from '../docker/containers.js'
import { MemoryJournal } from '../running.js'

const idle = ['node', '-e', 'require("net").createServer().listen(process.argv[1], "127.0.0.1")']
const kinds: readonly (readonly [string, NodeProvider, readonly Requirement[]])[] = [
  [
    'processes',
    processes({
      command: ({ listen }) => [...idle, String(listen(7000))],
      count: 1,
      ports: [7000],
      disk: 'fuse',
    }),
    [],
  ],
  [
    'docker',
    docker({ image: echoImage, command: echoCommand, count: 1, ports: [7000], disk: 'fuse' }),
    ['docker', 'busybox'],
  ],
]

for (const [kind, provider, needs] of kinds) {
  requires(
    'linux',
    'root',
    'fuse',
    ...needs,
  )(`${kind} whose disk is lost`, () => {
    it('are taken away all the same, and the run is told at its end', { timeout: 120_000 }, async () => {
      const journal = new MemoryJournal()
      const running = await provider.start({
        runId: freshRun(),
        logsDir: await temporaryDirectory(),
        clock: startClock(),
        journal,
        signal: new AbortController().signal,
      })
      const pids = journal.all.flatMap((undo) => (undo.kind === 'process' ? [undo.pid] : []))
      const commands = await Promise.all(
        pids.map(async (pid) => ({ pid, command: await readFile(`/proc/${pid}/cmdline`, 'utf8') })),
      )
      const disk = commands.find(({ command }) => command.includes('storage/fuse/server'))
      process.kill(disk?.pid as number, 'SIGKILL')
      await expect(running.stop()).rejects.toThrow('its process has ended')
      expect([...journal.open_.values()]).toEqual([])
    })
  })
}
