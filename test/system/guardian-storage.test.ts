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

const script = fileURLToPath(new URL('./guarded-storage-run.mjs', import.meta.url))
const undoneWithinMs = 15_000
const random = new Random(9)

for (const [kind, size, trials] of [
  ['processes', '4m', 5],
  ['processes', null, 3],
  ['docker', '4m', 3],
  ['docker', null, 2],
] as const) {
  const needs = kind === 'docker' ? (['docker'] as const) : []
  const on = size === null ? 'plain directories' : 'small disks'
  requires(
    'linux',
    'root',
    'redis',
    'strace',
    ...needs,
  )(`guardian of ${kind} on ${on}`, () => {
    it(
      'leaves no tracer, filler, mount, copy or volume after kill -9 in the middle of storage faults',
      { timeout: 180_000 },
      async (context) => {
        const met: string[] = []
        for (let trial = 0; trial < trials; trial += 1) {
          const state = await mkdtemp(join(tmpdir(), 'nemesis-guardian-'))
          const temporary = join(state, 'tmp')
          await mkdir(temporary)
          const leftovers = watchLeftovers({ state, temporary, docker: kind === 'docker' })
          const child = spawn(process.execPath, [script, kind, ...(size === null ? [] : [size])], {
            stdio: ['ignore', 'pipe', 'inherit'],
            env: { ...process.env, NEMESIS_STATE_DIR: state, TMPDIR: temporary },
          })
          onTestFinished(async () => {
            child.kill('SIGKILL')
            await leftovers.remove()
            await rm(state, { recursive: true, force: true })
          })
          await once(createInterface({ input: child.stdout }), 'line')
          const afterMs = random.int(0, 900)
          await sleep(afterMs)
          met.push(...(await leftovers.look()))
          child.kill('SIGKILL')
          await expect
            .poll(() => leftovers.look(), {
              timeout: undoneWithinMs,
              interval: 200,
              message: `killed ${afterMs} ms after it had started`,
            })
            .toEqual([])
        }
        const kinds = [...new Set(met.map((one) => one.split(' ')[0]))].join(', ')
        await context.annotate(`${trials} runs were ended while they held: ${kinds}`)
        if (size !== null) expect(met.join('\n')).toContain('mount ')
      },
    )
  })
}
