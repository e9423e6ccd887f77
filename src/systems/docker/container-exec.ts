import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { FaultError, messageOf, SystemError } from '../../errors.js'
import type { Exec } from '../capabilities.js'
import { statusOf, type Engine } from './engine.js'
import { execIn, exitCodeOf, type Execution } from './exec-in.js'
import { becomes } from '../../time/wait.js'
import { nodeNamed } from '../netns/node-named.js'
import type { DockerNode } from './node.js'

const defaultTimeoutMs = 30_000

/**
 * Commands in the containers of nodes, by the engine's API, as the user that the container has. The container must run.
 *
 * Throws SystemError for a container that does not run and a program that is not in it, FaultError for one that takes
 * longer than its time. The API cannot end a program: it is killed where this machine is the engine's, and elsewhere
 * only its input ends.
 */
export function containerExec(engine: Engine, nodes: readonly DockerNode[]): Exec {
  return {
    mechanism: 'Docker API exec',
    async run(name, command, { input = '', timeoutMs = defaultTimeoutMs } = {}) {
      const { id } = nodeNamed(nodes, name)
      const what = `${command.join(' ')} in the container of ${name}`
      const execution = await execIn(engine, engine.getContainer(id), command).catch((error: unknown) => {
        if (statusOf(error) === null) throw error
        throw notStarted(what, messageOf(error))
      })
      const { stream, stdout, stderr } = execution
      // A program that does not read its input is free to end before it has all of it.
      stream.on('error', () => undefined)
      stream.end(input)
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new FaultError('exec-timeout', `${what} took longer than ${timeoutMs} ms`)),
          timeoutMs,
        )
      })
      try {
        const [out, err] = await Promise.race([Promise.all([text(stdout), text(stderr)]), late])
        const code = await exitCodeOf(execution)
        // Engines before version 25 tell of a program that they cannot start as if it had printed it.
        if ((code === 126 || code === 127) && out.startsWith('OCI runtime exec failed'))
          throw notStarted(what, out.trim())
        return { code, stdout: out, stderr: err }
      } catch (error) {
        await endExecution(execution, id)
        throw error
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

function notStarted(what: string, why: string): SystemError {
  return new SystemError('docker-exec', `${what} cannot be started: ${why}`, {
    hint: 'the program must be in the image, and the container must be running and not paused',
  })
}

/** The longest that an engine may take to start a program which it was asked for. */
const startsWithinMs = 15_000

/** Kills the program if it is a process of this machine that belongs to the container. */
async function endExecution({ exec, stream }: Execution, container: string): Promise<void> {
  stream.destroy()
  // The engine answers before it has started the program: it neither runs then, nor has it ended.
  let pid = 0
  await becomes(
    async () => {
      const { Pid: of, Running: running, ExitCode: code } = await exec.inspect()
      pid = running ? of : 0
      return pid > 0 || (!running && code !== null)
    },
    { withinMs: startsWithinMs },
  )
  if (pid === 0) return
  // No such process here: the engine runs on another kernel.
  const groups = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '')
  if (!groups.includes(container)) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // Ended by now, or this is not root.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
