import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { FaultError } from '../../../errors.js'
import { becomes, within } from '../../../time/wait.js'
import type { SystemCallInjection } from './injection.js'
import { tracerOf } from './process-tree.js'

/** A running strace that injects into processes. */
export interface Tracer {
  /** The processes that it was attached to; it follows what they fork. */
  readonly pids: readonly number[]
  /** System calls that it made fail, or delayed, so far. */
  readonly met: number
  /** What it said before it ended; null while it runs. */
  readonly ended: string | null
  /** Detaches; the processes go on untouched. Resolves when it has ended. */
  stop(): Promise<void>
}

export interface TracerOptions {
  readonly run: string
  readonly pids: readonly number[]
  readonly injection: SystemCallInjection
  /** Only calls on these files, as the processes name them; all files when it is empty. */
  readonly paths: readonly string[]
}

const attachWithinMs = 10_000
const detachWithinMs = 5_000

/**
 * Attaches strace and resolves when the kernel names it as the tracer of each process.
 *
 * What it prints comes through a pipe to this process, so when this process dies it ends by itself with the next line;
 * and it carries the mark of the run, by which it is ended otherwise. However it ends, the processes go on untouched.
 * Throws FaultError when it cannot attach.
 */
export async function startTracer({ run, pids, injection, paths }: TracerOptions): Promise<Tracer> {
  const calls = injection.calls.join(',')
  const args = [
    // Follow forks and threads; no messages of its own; nothing of the data in what it prints.
    ...['-f', '-qq', '-s', '0'],
    ...['-e', `trace=${calls}`, '-e', `inject=${calls}:${injection.action}`, '-e', 'signal=none'],
    ...paths.flatMap((path) => ['-P', path]),
    ...pids.flatMap((pid) => ['-p', String(pid)]),
  ]
  const child = execa('strace', args, {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    buffer: false,
    reject: false,
    env: { NEMESIS_RUN: run, LC_ALL: 'C' },
  })
  let met = 0
  let said = ''
  let ended: string | null = null
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (/\((INJECTED|DELAYED|INJECTED, DELAYED)\)$/.test(line)) met += 1
    else if (line.startsWith('strace:')) said = line
  })
  const exited = child.then(({ signal, exitCode }) => {
    ended = said === '' ? `strace ended ${signal ? `by ${signal}` : `with code ${exitCode}`}` : said
  })
  const stop = async (): Promise<void> => {
    child.kill('SIGINT')
    await within(detachWithinMs, 'detaching strace', exited).catch(async () => {
      child.kill('SIGKILL')
      await exited
    })
  }

  const attached = await becomes(
    async () => {
      if (ended !== null) return true
      const tracers = await Promise.all(pids.map(tracerOf))
      // One that has ended meanwhile needs no tracer.
      return tracers.every((tracer) => tracer === null || tracer === child.pid)
    },
    { withinMs: attachWithinMs, everyMs: 5 },
  )
  if (ended !== null || !attached) {
    await stop()
    throw new FaultError('strace', `strace could not be attached to ${pids.join(', ')}: ${ended}`, {
      hint: 'a process has one tracer at most: let faults of the same node that trace it not overlap',
    })
  }
  return {
    pids,
    get met() {
      return met
    },
    get ended() {
      return ended
    },
    stop,
  }
}
