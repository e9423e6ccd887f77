import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { removeDockerRun } from '../../src/systems/docker/remove.js'
import { processStartTime } from '../../src/systems/process/start-time.js'
import { requires } from '../support/requirements.js'
import { leftOf } from '../systems/docker/containers.js'

const script = fileURLToPath(new URL('./guarded-docker-run.mjs', import.meta.url))
const undoneWithinMs = 5_000

requires('docker', 'busybox')('guardian of containers', () => {
  it(
    'removes containers, paused ones too, networks and rules within five seconds of kill -9',
    { timeout: 120_000 },
    async () => {
      const state = await mkdtemp(join(tmpdir(), 'nemesis-guardian-'))
      const child = spawn(process.execPath, [script], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, NEMESIS_STATE_DIR: state },
      })
      const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
      const run = JSON.parse(value as string) as { runId: string; guardian: number; journal: string }
      onTestFinished(async () => {
        await removeDockerRun(run.runId, null)
        await rm(state, { recursive: true, force: true })
      })
      expect((await leftOf(run.runId)).length).toBeGreaterThanOrEqual(4)
      expect(await readdir(join(state, 'undo'))).toHaveLength(1)
      const killedAt = performance.now()
      child.kill('SIGKILL')
      await expect
        .poll(
          async () => [
            ...(await leftOf(run.runId)),
            ...(existsSync(run.journal) ? ['journal'] : []),
            ...((await processStartTime(run.guardian)) === null ? [] : ['guardian']),
          ],
          {
            timeout: undoneWithinMs,
            interval: 100,
          },
        )
        .toEqual([])
      expect(performance.now() - killedAt).toBeLessThan(undoneWithinMs + 1_000)
    },
  )
})
