import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FaultError } from '../../errors.js'

/** How long the end of a run waits for its guardian. */
const releaseWithinMs = 10_000

/** The process that undoes a run's faults when the run dies. */
export interface Guardian {
  readonly pid: number
  /** The run has ended in good order: the guardian undoes what the journal still holds, if anything, and exits. Resolves when it is gone, or after ten seconds. */
  release(): Promise<void>
}

/**
 * Starts the guardian of a journal: a process in a session of its own that waits for the end of its standard input,
 * which comes when this process dies in whatever way, or lets go of it. It ignores the signals that end a test run.
 *
 * It does not keep this process alive. Throws FaultError when it cannot be started.
 */
export function startGuardian(journal: string): Guardian {
  const script = guardianScript()
  const child = spawn(process.execPath, [script, journal], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: parse(process.cwd()).root,
    env: environment(),
  })
  // Without this a guardian that could not be started would crash the run, or one that was killed by hand would.
  child.on('error', () => undefined)
  child.stdin.on('error', () => undefined)
  if (child.pid === undefined) {
    throw new FaultError('guardian', `the guardian could not be started: ${process.execPath} ${script}`, {
      hint: 'the machine may have run out of processes or memory',
    })
  }
  child.unref()
  const { stdin } = child
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    pid: child.pid,
    async release() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.ref()
      stdin.end()
      // What it cannot undo in time it goes on undoing without us.
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, releaseWithinMs)))
      await Promise.race([exited, late])
      clearTimeout(timer)
      child.unref()
    },
  }
}

/** The guardian is a script of the built package; this package's own tests run from the sources, beside which it is in `dist/`. */
function guardianScript(): string {
  const own = new URL('./guardian.js', import.meta.url)
  const script = fileURLToPath(
    import.meta.url.endsWith('.ts')
      ? new URL('../../../dist/src/nemesis/undo/guardian.js', import.meta.url)
      : own,
  )
  if (existsSync(script)) return script
  throw new FaultError('guardian', `the guardian is not there: ${script}`, {
    hint: 'in a checkout of vitest-nemesis run npm run build',
  })
}

/** The run's environment without what would make the guardian part of the run, or run the user's code in it. */
function environment(): NodeJS.ProcessEnv {
  return { ...process.env, NEMESIS_RUN: undefined, NODE_OPTIONS: undefined, NODE_V8_COVERAGE: undefined }
}
