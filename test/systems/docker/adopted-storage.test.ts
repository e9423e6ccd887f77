import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startClock } from '../../../src/history/clock.js'
import { applyUndo } from '../../../src/nemesis/undo/apply.js'
import { engineAt } from '../../../src/systems/docker/engine.js'
import { ensureImage } from '../../../src/systems/docker/images/ensure.js'
import { docker } from '../../../src/systems/docker/index.js'
import type { Storage } from '../../../src/systems/capabilities.js'
import { requires } from '../../support/requirements.js'
import { MemoryJournal } from '../running.js'
import { cli, echoImage, freshRun } from './containers.js'

const name = `nemesis-test-${process.pid}-adopted-data`

requires(
  'docker',
  'busybox',
  'root',
  'strace',
)('the data of containers that another tool has started', () => {
  beforeAll(async () => {
    const image = await ensureImage(await engineAt(null), echoImage)
    const server =
      'echo original > /var/lib/db/file; while true; do echo x >> /var/lib/db/log; sleep 0.1; done'
    const serving = `${server} & exec nc -ll -p 7000 -e cat`
    await cli(
      'run',
      '-d',
      '--name',
      name,
      '-v',
      '/var/lib',
      image,
      'sh',
      '-c',
      `mkdir -p /var/lib/db; ${serving}`,
    )
  })
  afterAll(() => cli('rm', '-fv', name))

  async function adopt(data?: string) {
    const logsDir = await mkdtemp(join(tmpdir(), 'nemesis-logs-'))
    onTestFinished(() => rm(logsDir, { recursive: true, force: true }))
    const journal = new MemoryJournal()
    const signal = new AbortController().signal
    const provider = docker.adopt(name, { ports: [7000], ...(data === undefined ? {} : { data }) })
    const context = { runId: freshRun(), logsDir, clock: startClock(), journal, signal }
    const system = await provider.start(context)
    onTestFinished(() => system.stop())
    return { storage: system.storage as Storage, journal }
  }

  test('is reached below a volume, and disturbed', { timeout: 60_000 }, async () => {
    const { storage } = await adopt('/var/lib/db')
    expect((await storage.files('n1')).map(({ path }) => path)).toEqual(['file', 'log'])
    const rule = await storage.disturb('n1', { kind: 'full' })
    onTestFinished(() => rule.remove())
    await expect.poll(async () => (await rule.counters())[0]?.value, { timeout: 20_000 }).toBeGreaterThan(0)
    await rule.remove()
    expect(await rule.present()).toBe(false)
  })

  test('is written back by the journal of a run that died', { timeout: 60_000 }, async () => {
    const { storage, journal } = await adopt('/var/lib/db')
    await storage.replace('n1', 'file', Buffer.from('corrupt'))
    expect(await cli('exec', name, 'cat', '/var/lib/db/file')).toBe('corrupt')
    const undo = [...journal.open_.values()].find(({ kind }) => kind === 'replaced-file')
    if (undo === undefined) throw new Error('nothing was journalled')
    expect(await applyUndo(undo)).toMatch(/^wrote file/)
    expect(await cli('exec', name, 'cat', '/var/lib/db/file')).toBe('original')
  })

  test('is not there without a path, or on no volume', { timeout: 60_000 }, async () => {
    expect((await adopt()).storage).toBeNull()
    expect((await adopt('/tmp')).storage).toBeNull()
  })
})
