import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { SystemError } from '../../errors.js'
import type { UndoJournal } from '../../nemesis/undo/journal.js'
import type { NodeState } from '../capabilities.js'
import type { Ending, NodeCommand } from './node-command.js'
import { groupMembers, signalGroup, type GroupMember } from './process-group.js'
import { Offshoots } from './offshoots.js'
import { endedAtOnce, notSpawned } from './start-failure.js'
import { processStartTime } from './start-time.js'

/** One start of a node. Its pid is the id of its process group as well. */
interface Life {
  readonly pid: number
  readonly startTime: string | null
  readonly startedAt: string
  /** Byte offset in the log at which this life begins. */
  readonly logStart: number
  /** Resolves when the kernel has reported the end and the rest of the group has been killed. */
  readonly ended: Promise<Ending>
  ending: Ending | null
  /** No process of the group is left; from then on the kernel may give its id to somebody else. */
  gone: boolean
  readonly offshoots: Offshoots
  journalId: string | null
  resumeId: string | null
}

const pollMs = 5
const signalTimeoutMs = 5_000

/**
 * A node as a child process in a process group of its own, over its restarts. Processes that it started and that left the
 * group belong to it as well.
 *
 * Calls for one node must not overlap; `ProcessLifecycle` sees to that.
 */
export class NodeProcess {
  readonly #node: NodeCommand
  readonly #journal: UndoJournal
  readonly #onEnded: () => void
  #life: Life | null = null
  #starts = 0

  /** `onEnded` is called each time that the node has ended, for whatever reason. */
  constructor(node: NodeCommand, options: { readonly journal: UndoJournal; readonly onEnded: () => void }) {
    this.#node = node
    this.#journal = options.journal
    this.#onEnded = options.onEnded
  }

  get running(): boolean {
    return this.#life !== null && this.#life.ending === null
  }

  /** Spawns the node. Resolves once it runs, which does not mean yet that it serves. */
  async spawn(): Promise<void> {
    if (this.running) return
    if (this.#life !== null) await this.#gone(this.#life)
    const { name, command, inside, env, cwd, logFile } = this.#node
    const [file, ...args] = [...inside, ...command] as [string, ...string[]]
    const startedAt = new Date().toISOString()
    this.#starts += 1
    const log = await open(logFile, 'a')
    try {
      await log.write(`--- ${name}: start ${this.#starts} at ${startedAt} ---\n`)
      const logStart = (await log.stat()).size
      const child = execa(file, args, {
        cwd,
        env,
        detached: true,
        cleanup: false,
        reject: false,
        buffer: false,
        stdin: 'ignore',
        // The node writes to the file by itself, so nothing is lost when this process is busy or dies. Execa takes
        // any descriptor; its types name only those up to 9.
        stdout: log.fd as 3,
        stderr: log.fd as 3,
      })
      if (child.pid === undefined) throw notSpawned(this.#node, await child)
      const pid = child.pid
      const startTime = await processStartTime(pid)
      const ended = child.then(({ exitCode, signal }) => {
        // A node is its whole group: what the first process leaves behind must not go on serving in its name.
        signalGroup(pid, 'SIGKILL')
        return { exitCode: exitCode ?? null, signal: signal ?? null }
      })
      const life: Life = {
        pid,
        startTime,
        startedAt,
        logStart,
        ended,
        ending: null,
        gone: false,
        offshoots: new Offshoots(pid),
        journalId: null,
        resumeId: null,
      }
      void ended.then((ending) => {
        life.ending = ending
        this.#onEnded()
      })
      this.#life = life
      life.journalId = await this.#journal.open({ kind: 'process', pid, startTime })
    } finally {
      await log.close()
    }
  }

  /** Throws SystemError with the exit code and the last log lines when the node has ended. */
  async assertAlive(): Promise<void> {
    const life = this.#life
    if (life === null || life.ending === null) return
    throw await endedAtOnce(this.#node, life.ending, life.logStart)
  }

  /** SIGKILL to the group, and to what has left it. Resolves when all of it is gone. */
  async kill(): Promise<void> {
    const life = this.#life
    if (life === null) return
    if (life.ending === null) {
      // Looked for first: without their ancestor nothing tells whose they are.
      await life.offshoots.look()
      signalGroup(life.pid, 'SIGKILL')
    }
    await this.#gone(life)
  }

  /** SIGTERM to the group, SIGKILL after `graceMs`. A paused node is continued, since it could not end otherwise. */
  async stop(graceMs: number): Promise<void> {
    const life = this.#life
    if (life === null) return
    await life.offshoots.look()
    if (life.ending === null && signalGroup(life.pid, 'SIGTERM')) {
      signalGroup(life.pid, 'SIGCONT')
      const waiting = new AbortController()
      await Promise.race([life.ended, sleep(graceMs, null, { signal: waiting.signal }).catch(() => null)])
      waiting.abort()
    }
    await this.kill()
  }

  /** SIGSTOP to the group and what has left it. Resolves when the kernel reports every process of it as stopped. */
  async pause(): Promise<void> {
    const life = this.#life
    if (life === null || life.ending !== null) {
      throw new SystemError('not-running', `node ${this.#node.name} cannot be paused: it has ended`, {
        hint: 'order the faults so that the node runs when it is to be paused',
      })
    }
    life.resumeId ??= await this.#journal.open({
      kind: 'resume',
      pid: life.pid,
      startTime: life.startTime,
    })
    // Sent again in each round: a process that was just being forked misses a single signal to the group.
    await this.#signalUntil(life, 'SIGSTOP', true)
  }

  /** SIGCONT to the group. Does nothing when the node has ended. */
  async resume(): Promise<void> {
    const life = this.#life
    if (life === null || life.ending !== null) return
    await this.#signalUntil(life, 'SIGCONT', false)
    await this.#closeEntry(life, 'resumeId')
  }

  async state(): Promise<NodeState> {
    const life = this.#life
    const members = life === null || life.ending !== null ? [] : await membersOf(life)
    if (life === null || life.ending !== null) return endedState(life)
    const readable = members.every(({ cpuMs }) => cpuMs !== null) && members.length > 0
    return {
      status: members.length > 0 && members.every(({ stopped }) => stopped) ? 'paused' : 'running',
      pid: life.pid,
      startedAt: life.startedAt,
      exitCode: null,
      exitSignal: null,
      cpuMs: readable ? members.reduce((sum, { cpuMs }) => sum + (cpuMs ?? 0), 0) : null,
    }
  }

  async #signalUntil(life: Life, signal: 'SIGSTOP' | 'SIGCONT', stopped: boolean): Promise<void> {
    const deadline = Date.now() + signalTimeoutMs
    while (life.ending === null && signalGroup(life.pid, signal)) {
      await life.offshoots.signal(signal)
      const members = await membersOf(life)
      if (members.every((member) => member.stopped === stopped)) return
      if (Date.now() > deadline) {
        throw new SystemError(
          'signal',
          `node ${this.#node.name}: ${signal} to process group ${life.pid} had no effect within ${signalTimeoutMs} ms`,
          { hint: `see \`ps -o pid,pgid,state,wchan -g ${life.pid}\`` },
        )
      }
      await sleep(pollMs)
    }
  }

  async #gone(life: Life): Promise<void> {
    if (life.gone) return
    await life.ended
    // As with the rest of the group: what the first process leaves behind must not go on in the name of the node.
    await life.offshoots.signal('SIGKILL')
    const deadline = Date.now() + signalTimeoutMs
    while ((await membersOf(life)).length > 0) {
      if (Date.now() > deadline) {
        throw new SystemError('orphans', `node ${this.#node.name}: process group ${life.pid} does not end`, {
          hint: `see \`ps -o pid,pgid,state,wchan -g ${life.pid}\`; a process in state D waits for a disk or file server`,
        })
      }
      await sleep(pollMs)
    }
    life.gone = true
    await this.#closeEntry(life, 'resumeId')
    await this.#closeEntry(life, 'journalId')
  }

  async #closeEntry(life: Life, entry: 'resumeId' | 'journalId'): Promise<void> {
    const id = life[entry]
    if (id === null) return
    life[entry] = null
    await this.#journal.close(id)
  }
}

/** The processes of the group and those that have left it. */
async function membersOf({ pid, offshoots }: Life): Promise<readonly GroupMember[]> {
  await offshoots.look()
  return [...(await groupMembers(pid)), ...(await offshoots.members())]
}

function endedState(life: Life | null): NodeState {
  return {
    status: 'exited',
    pid: null,
    startedAt: life?.startedAt ?? null,
    exitCode: life?.ending?.exitCode ?? null,
    exitSignal: life?.ending?.signal ?? null,
    cpuMs: null,
  }
}
