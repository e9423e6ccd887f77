import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../../src/errors.js'
import type { Progress } from '../../../src/scenario/runs/progress.js'
import { onMessage, send, type HostAddress, type WorkerMessage } from './messages.js'
import { TurnQueue } from './queue.js'

/**
 * The main process's side of every running scenario: it lets one scenario file run at a time, over all projects of
 * the run, names the session directory, and hears how scenarios are getting on.
 *
 * A turn lasts as long as its connection, so that a worker that dies gives it back.
 */
export class TurnHost {
  readonly address: HostAddress
  readonly #server: Server
  readonly #connections = new Set<Socket>()
  readonly #queue = new TurnQueue<Socket>((socket) => send(socket, { say: 'granted' }))
  readonly #onStart: (task: string) => Promise<string>
  readonly #onProgress: (progress: Progress) => void
  #listening: Promise<void> | null = null

  /** `onStart` is called when a scenario starts, and names the session directory. */
  constructor(options: {
    onStart: (task: string) => Promise<string>
    onProgress: (progress: Progress) => void
  }) {
    this.#onStart = options.onStart
    this.#onProgress = options.onProgress
    this.address = { path: socketPath(), secret: randomUUID() }
    this.#server = createServer((socket) => this.#serve(socket))
    this.#server.unref()
  }

  /** True while a scenario file runs or waits. */
  get busy(): boolean {
    return this.#queue.busy
  }

  /** Starts to listen; later calls do nothing. */
  listen(): Promise<void> {
    this.#listening ??= new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(this.address.path, resolve)
    })
    return this.#listening
  }

  /** Sends away everyone who waits, because the run has been cancelled. */
  dismissWaiting(): void {
    for (const socket of this.#queue.dismiss()) send(socket, { say: 'dismissed' })
  }

  close(): void {
    for (const socket of this.#connections) socket.destroy()
    this.#server.close()
    if (isFile(this.address.path)) rmSync(this.address.path, { force: true })
  }

  #serve(socket: Socket): void {
    this.#connections.add(socket)
    socket.unref()
    // A reset ends the connection like any other end; `close` follows and frees the turn.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#connections.delete(socket)
      this.#queue.leave(socket)
    })
    let known = false
    onMessage<WorkerMessage>(socket, (message) => {
      known ||= message.say === 'turn' && message.secret === this.address.secret
      if (known) void this.#answer(socket, message)
      else socket.destroy()
    })
  }

  async #answer(socket: Socket, message: WorkerMessage): Promise<void> {
    if (message.say === 'turn') this.#queue.join(socket)
    else if (message.say === 'progress') this.#onProgress(message.progress)
    else {
      try {
        send(socket, { say: 'session', directory: await this.#onStart(message.task) })
      } catch (error) {
        send(socket, { say: 'failed', message: messageOf(error) })
      }
    }
  }
}

/**
 * On Linux a name that is no file, which therefore goes when this process does, however it ends. Elsewhere a socket in
 * the directory for temporary files, or a named pipe.
 */
function socketPath(): string {
  const name = `vitest-nemesis-${process.pid}-${randomUUID().slice(0, 8)}`
  if (process.platform === 'linux') return `\0${name}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`)
}

function isFile(path: string): boolean {
  return process.platform !== 'win32' && !path.startsWith('\0')
}
