import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { watchLeftovers } from '../leftovers/watch.mjs'

const script = fileURLToPath(new URL('../guarded-run.mjs', import.meta.url))

/** A run that disturbs a system, in a state directory and a directory for temporary files of its own. */
export interface GuardedRun {
  /** Everything of it that is there now, in words. */
  look(): Promise<readonly string[]>
  /** Ends it by SIGKILL. */
  kill(): void
}

/** Starts the run that guarded-run.mjs makes of these options, and resolves when it is at work. */
export async function startGuardedRun(options: {
  readonly system: string
  readonly work: string
  readonly disk?: unknown
  readonly containers?: readonly string[]
}): Promise<GuardedRun> {
  const state = await mkdtemp(join(tmpdir(), 'nemesis-guarded-'))
  const temporary = join(state, 'tmp')
  await mkdir(temporary)
  const leftovers = watchLeftovers({ state, temporary, docker: options.system.includes('container') })
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NEMESIS_STATE_DIR: state, TMPDIR: temporary },
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await leftovers.remove()
    await rm(state, { recursive: true, force: true })
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the guarded run has ended before it was at work: exit code ${code}`)
  })
  // Once it is at work its end is that of the test.
  ended.catch(() => {})
  await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])
  return { look: () => leftovers.look(), kill: () => void child.kill('SIGKILL') }
}
