import { readFile, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { readProcStat } from '../../../src/systems/process/proc-stat.js'
import { requires } from '../../support/requirements.js'
import { startLineServers } from '../running.js'

const server = fileURLToPath(new URL('../../fixtures/systems/line-server.mjs', import.meta.url))

/** The state of the one process of a run that runs `sleep`; null when there is none. */
async function sleeperOf(runId: string): Promise<string | null> {
  for (const name of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
    const [command, environment] = await Promise.all(
      ['cmdline', 'environ'].map((file) => readFile(`/proc/${name}/${file}`, 'latin1').catch(() => '')),
    )
    if (!command?.startsWith('sleep\0') || !environment?.includes(`NEMESIS_RUN=${runId}`)) continue
    return (await readProcStat(Number(name)))?.state ?? null
  }
  return null
}

requires('linux')('a worker with a session of its own', () => {
  test('is paused, continued and killed with its node', async () => {
    const command = ['/bin/sh', '-c', 'setsid sleep 1000 & exec "$0" "$1"', process.execPath, server]
    const { lifecycle, runId } = await startLineServers({ command })
    const state = () => sleeperOf(runId)
    await vi.waitUntil(async () => (await state()) !== null, { timeout: 20_000 })

    await lifecycle.pause('n1')
    expect(await state()).toBe('T')
    expect((await lifecycle.state('n1')).status).toBe('paused')
    await lifecycle.resume('n1')
    expect(await state()).toMatch(/^[RSD]$/)

    await lifecycle.pause('n1')
    await lifecycle.kill('n1')
    expect(await state()).toBeNull()
  })

  test('is killed with a node that is stopped', async () => {
    const command = ['/bin/sh', '-c', 'setsid sleep 1000 & exec "$0" "$1"', process.execPath, server]
    const { lifecycle, runId } = await startLineServers({ command })
    await vi.waitUntil(async () => (await sleeperOf(runId)) !== null, { timeout: 20_000 })
    await lifecycle.stop('n1', 5_000)
    expect(await sleeperOf(runId)).toBeNull()
    await lifecycle.start('n1')
    expect((await lifecycle.state('n1')).status).toBe('running')
  })
})
