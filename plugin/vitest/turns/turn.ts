import { connect, type Socket } from 'node:net'
import { EnvironmentError, SystemError } from '../../../src/errors.js'
import type { Progress } from '../../../src/scenario/runs/progress.js'
import { onMessage, send, type HostAddress, type HostMessage } from './messages.js'

/** A scenario file's right to run. */
export interface Turn {
  /**
   * Says that the scenario with this task id starts, and returns the session directory, which the main process makes
   * when the first scenario of the run asks for it.
   */
  session(task: string): Promise<string>
  progress(progress: Progress): void
  /** Lets the next scenario file run. */
  release(): void
}

const connectTimeoutMs = 10_000

/**
 * Waits until no other scenario file runs. Resolves to null when the run was cancelled meanwhile.
 * Rejects with EnvironmentError when the main process cannot be reached, SystemError when it goes away.
 */
export async function takeTurn({ path, secret }: HostAddress): Promise<Turn | null> {
  const socket = await open(path)
  const answers = new Answers(socket)
  send(socket, { say: 'turn', secret })
  const answer = await answers.next()
  if (answer.say === 'dismissed') {
    socket.destroy()
    return null
  }
  return {
    async session(task) {
      send(socket, { say: 'session', task })
      const named = await answers.next()
      if (named.say === 'session') return named.directory
      throw new SystemError(
        'session',
        `no session directory: ${'message' in named ? named.message : named.say}`,
      )
    },
    progress: (progress) => send(socket, { say: 'progress', progress }),
    release: () => void socket.end(),
  }
}

function open(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.setTimeout(connectTimeoutMs, () => socket.destroy(new Error('timed out')))
    socket.once('error', (error) =>
      reject(
        new EnvironmentError(
          'session host',
          `cannot reach the main process of Vitest: ${error.message}`,
          'run scenarios through vitest run or vitest watch, with nemesis() among the plugins of the config',
        ),
      ),
    )
    socket.once('connect', () => {
      socket.setTimeout(0)
      resolve(socket)
    })
  })
}

/** Hands out the host's answers in the order in which they were asked for. */
class Answers {
  readonly #waiting: { resolve(message: HostMessage): void; reject(error: Error): void }[] = []

  constructor(socket: Socket) {
    onMessage<HostMessage>(socket, (message) => this.#waiting.shift()?.resolve(message))
    // The reason for the end does not matter to who waits: `close` follows every error.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      for (const { reject } of this.#waiting.splice(0)) {
        reject(new SystemError('session', 'the main process of Vitest has gone away'))
      }
    })
  }

  next(): Promise<HostMessage> {
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }
}
