import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SystemError } from '../../../errors.js'
import { within } from '../../../time/wait.js'
import type { Control, ControlAnswer, ControlName } from './control.js'

const mountWithinMs = 15_000
const answerWithinMs = 30_000
const exitWithinMs = 1_500

export interface FuseDiskOptions {
  readonly node: string
  /** An empty directory. */
  readonly mountpoint: string
  /** Where the content of files is kept. */
  readonly directory: string
  readonly logFile: string
  /** The mark by which the processes of a run are known. */
  readonly run: string
}

/** A file system in a process of its own, from this side. */
export class FuseDisk {
  readonly mountpoint: string
  readonly pid: number
  readonly #node: string
  readonly #logFile: string
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>()
  readonly #mounted: Promise<void>
  readonly #exited: Promise<void>
  #next = 1
  #closing = false
  /** Set when the process has ended although nobody had unmounted it. */
  #lost = false

  /** Starts the process; `mounted` resolves when it serves the directory. Throws SystemError when it cannot be started. */
  constructor({ node, mountpoint, directory, logFile, run }: FuseDiskOptions) {
    this.mountpoint = mountpoint
    this.#node = node
    this.#logFile = logFile
    const log = openSync(logFile, 'a')
    try {
      this.#child = spawn(process.execPath, [serverScript(), mountpoint, directory], {
        // In a group of its own: Ctrl-C is for the test run.
        detached: true,
        stdio: ['ignore', log, log, 'ipc'],
        cwd: parse(process.cwd()).root,
        env: { ...process.env, NEMESIS_RUN: run, NODE_OPTIONS: undefined, NODE_V8_COVERAGE: undefined },
      })
    } finally {
      closeSync(log)
    }
    const child = this.#child
    child.on('error', () => undefined)
    if (child.pid === undefined) {
      throw new SystemError('disk', `the file system of ${node} could not be started: ${process.execPath}`)
    }
    this.pid = child.pid
    this.#mounted = new Promise((resolve, reject) => {
      child.on('message', (message: ControlAnswer) => {
        if ('mounted' in message) return resolve()
        const waiting = this.#waiting.get(message.number)
        this.#waiting.delete(message.number)
        if ('error' in message) waiting?.reject(this.#failure(message.error))
        else waiting?.resolve(message.answer)
      })
      child.once('exit', () => {
        this.#lost = !this.#closing
        void this.#ended().then(reject)
      })
    })
    this.#mounted.catch(() => undefined)
    this.#exited = new Promise((resolve) => child.once('exit', () => resolve()))
    child.unref()
    child.channel?.unref()
  }

  /** Resolves when the directory is served. Rejects with SystemError that says what mount(8) said. */
  mounted(): Promise<void> {
    return within(mountWithinMs, `mounting the file system of ${this.#node}`, this.#mounted)
  }

  async tell<Name extends ControlName>(
    name: Name,
    ask: Control[Name]['ask'],
  ): Promise<Control[Name]['answer']> {
    const child = this.#child
    if (!child.connected) throw await this.#ended()
    const number = this.#next++
    const answered = new Promise<unknown>((resolve, reject) => this.#waiting.set(number, { resolve, reject }))
    if (this.#waiting.size === 1) child.channel?.ref()
    child.send({ number, tell: name, ...ask })
    try {
      return (await within(
        answerWithinMs,
        `an answer of the file system of ${this.#node}`,
        answered,
      )) as Control[Name]['answer']
    } finally {
      this.#waiting.delete(number)
      if (this.#waiting.size === 0) child.channel?.unref()
    }
  }

  /** From now on the process may end: it is about to be unmounted. */
  expectEnd(): void {
    this.#closing = true
  }

  /**
   * Resolves when the process is gone after it was unmounted; it is killed when that takes too long. Throws SystemError
   * when it had ended before: what the node wrote is gone, and nothing may be concluded from it.
   */
  async end(): Promise<void> {
    const child = this.#child
    if (child.exitCode === null && child.signalCode === null) {
      child.ref()
      const timer = setTimeout(() => child.kill('SIGKILL'), exitWithinMs)
      await this.#exited
      clearTimeout(timer)
    }
    if (this.#lost) throw await this.#ended()
  }

  /** What is said when the process has ended by itself. */
  async #ended(): Promise<SystemError> {
    const said = await readFile(this.#logFile, 'utf8').catch(() => '')
    const error = this.#failure(`its process has ended${said === '' ? '' : `: ${said.trim().slice(-500)}`}`)
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
    return error
  }

  #failure(what: string): SystemError {
    return new SystemError('disk', `the file system of ${this.#node} (${this.mountpoint}): ${what}`)
  }
}

/** A script of the built package; this package's own tests run from the sources, beside which it is in `dist/`. */
function serverScript(): string {
  const own = new URL('./server.js', import.meta.url)
  const script = fileURLToPath(
    import.meta.url.endsWith('.ts')
      ? new URL('../../../../dist/src/systems/storage/fuse/server.js', import.meta.url)
      : own,
  )
  if (existsSync(script)) return script
  throw new SystemError('disk', `the file system's program is not there: ${script}`, {
    hint: 'in a checkout of vitest-nemesis run npm run build',
  })
}
