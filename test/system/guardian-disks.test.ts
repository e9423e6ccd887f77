import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { Random } from '../../src/random/random.js'
import { requires } from '../support/requirements.js'

interface Leftovers {
  look(): Promise<readonly string[]>
  remove(): Promise<void>
}
const { watchLeftovers } = (await import(new URL('./leftovers/watch.mjs', import.meta.url).href)) as {
  watchLeftovers(of: { state: string; temporary: string; docker: boolean }): Leftovers
}

const script = fileURLToPath(new URL('./guarded-disk-run.mjs', import.meta.url))
const undoneWithinMs = 15_000
const random = new Random(8)

for (const [kind, disk, trials] of [
  ['processes', 'fuse', 6],
  ['processes', 'loop', 8],
  ['docker', 'fuse', 2],
  ['docker', 'loop', 2],
] as const) {
  const needs = kind === 'docker' ? (['docker'] as const) : []
  requires(
    'linux',
    'root',
    'redis',
    'fuse',
    'ext4',
    ...needs,
  )(`guardian of ${kind} on ${disk} disks`, () => {
    it(
      'leaves no mount, loop device, process or file after kill -9 in the middle of power losses',
      { timeout: 180_000 },
      async () => {
        for (let trial = 0; trial < trials; trial += 1) {
          const state = await mkdtemp(join(tmpdir(), 'nemesis-guardian-'))
          const temporary = join(state, 'tmp')
          await mkdir(temporary)
          const leftovers = watchLeftovers({ state, temporary, docker: kind === 'docker' })
          const child = spawn(process.execPath, [script, kind, disk], {
            stdio: ['ignore', 'pipe', 'inherit'],
            env: { ...process.env, NEMESIS_STATE_DIR: state, TMPDIR: temporary },
          })
          onTestFinished(async () => {
            child.kill('SIGKILL')
            await leftovers.remove()
            await rm(state, { recursive: true, force: true })
          })
          await once(createInterface({ input: child.stdout }), 'line')
          // Neither mount nor loop device: there is a moment without them at each power loss.
          expect((await leftovers.look()).join('\n')).toContain('temporary nemesis-disks-')
          const afterMs = random.int(0, 900)
          await sleep(afterMs)
          child.kill('SIGKILL')
          await expect
            .poll(() => leftovers.look(), {
              timeout: undoneWithinMs,
              interval: 200,
              message: `killed ${afterMs} ms after it had started`,
            })
            .toEqual([])
        }
      },
    )
  })
}
