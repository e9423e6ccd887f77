import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startClock } from '../../../src/history/clock.js'
import { openJournal } from '../../../src/nemesis/undo/file-journal.js'
import { becomes } from '../../../src/time/wait.js'
import type { Lifecycle, Storage } from '../../../src/systems/capabilities.js'
import { processes } from '../../../src/systems/process/processes.js'
import type { LaunchContext } from '../../../src/systems/system.js'
import { requires } from '../../support/requirements.js'

const base64 = (text: string) => Buffer.from(text).toString('base64')

function etcd({ listen, dataDir }: LaunchContext): readonly string[] {
  const [clients, peers] = [`http://127.0.0.1:${listen(2379)}`, `http://127.0.0.1:${listen(2380)}`]
  return [
    ...['etcd', '--name', 'n1', '--data-dir', join(dataDir, 'etcd'), '--log-level', 'error'],
    ...['--listen-client-urls', clients, '--advertise-client-urls', clients],
    ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers],
    ...['--initial-cluster', `n1=${peers}`],
  ]
}

requires(
  'linux',
  'root',
  'etcd',
  'fuse',
  'ext4',
)('etcd, which syncs before it answers', () => {
  it.each(['fuse', 'loop'] as const)(
    'has every acknowledged write after power losses on a %s disk',
    { timeout: 300_000 },
    async (disk) => {
      const directory = await mkdtemp(join(tmpdir(), 'nemesis-test-'))
      onTestFinished(() => rm(directory, { recursive: true, force: true }))
      const journal = await openJournal(`etcd-${disk}-${process.pid}`, join(directory, 'undo'))
      onTestFinished(() => journal.finish())
      const running = await processes({ command: etcd, count: 1, ports: [2379, 2380], disk }).start({
        runId: `etcd-${disk}-${process.pid}`,
        logsDir: join(directory, 'logs'),
        clock: startClock(),
        journal,
        signal: new AbortController().signal,
      })
      onTestFinished(() => running.stop())
      const url = `http://${running.nodes[0]?.address(2379)}/v3/kv`
      const call = async (what: string, body: object): Promise<{ count?: string }> => {
        const answer = await fetch(`${url}/${what}`, {
          method: 'POST',
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(5_000),
        })
        if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
        return (await answer.json()) as { count?: string }
      }
      const put = (key: string) => call('put', { key: base64(key), value: base64('x') })
      const serves = () =>
        becomes(
          () =>
            put('ready').then(
              () => true,
              () => false,
            ),
          { withinMs: 60_000, everyMs: 200 },
        )
      let acknowledged = 0
      for (let outage = 0; outage < 3; outage += 1) {
        expect(await serves()).toBe(true)
        for (let write = 0; write < 30; write += 1) {
          await put(`key-${outage}-${write}`)
          acknowledged += 1
        }
        await (running.storage as Storage).losePower('n1')
        await (running.lifecycle as Lifecycle).start('n1')
      }
      expect(await serves()).toBe(true)
      const range = { key: base64('key-'), range_end: base64('key.'), count_only: true }
      expect(Number((await call('range', range)).count)).toBe(acknowledged)
    },
  )
})
