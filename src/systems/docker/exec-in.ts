import { PassThrough, type Duplex } from 'node:stream'
import type Dockerode from 'dockerode'
import type { Engine } from './engine.js'
import { until } from './until.js'

/** A program that the engine has started in a container. */
export interface Execution {
  readonly exec: Dockerode.Exec
  /** Its standard input is what is written here. */
  readonly stream: Duplex
  readonly stdout: PassThrough
  readonly stderr: PassThrough
}

/** Starts an argument vector in a running container; `stdout` and `stderr` end when the program does. */
export async function execIn(
  engine: Engine,
  container: Dockerode.Container,
  argv: readonly string[],
): Promise<Execution> {
  const exec = await container.exec({
    Cmd: [...argv],
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
  })
  const stream = await exec.start({ hijack: true, stdin: true })
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  engine.modem.demuxStream(stream, stdout, stderr)
  const end = () => {
    stdout.end()
    stderr.end()
  }
  stream.once('end', end).once('close', end).once('error', end)
  return { exec, stream, stdout, stderr }
}

/** The exit code of a program whose output has ended; the engine may take a moment longer to know it. */
export function exitCodeOf({ exec }: Execution): Promise<number> {
  return until('a program in a container has ended', async () => {
    const { Running: running, ExitCode: code } = await exec.inspect()
    return running ? null : code
  })
}
