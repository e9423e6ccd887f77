import { rmSync } from 'node:fs'
import { HarnessError } from '../errors.js'
import type { Json } from '../json.js'
import type { NodeActivity } from '../nemesis/fault.js'
import { nodeActivity } from './activity.js'
import { AppendOnlyFile } from './append.js'
import type { Clock } from './clock.js'
import { journalFile, journalLine } from './journal.js'
import { outcomeOf, type Operation } from './operation.js'
import { recordable } from './recordable.js'
import { operationLine } from './write.js'

/** What is known of an operation before it is sent. */
export interface Invocation {
  readonly process: number | string
  readonly type: string
  readonly key: string | number | null
  readonly input: Json
  /** The node at which it is aimed; null when it is aimed at none. */
  readonly node: string | null
}

/** An operation that has been invoked. It is completed once; what comes after `unknown` is a late answer. */
export interface OpenOperation {
  readonly id: number
  /** Nanoseconds since the run's start. */
  readonly invokedAt: number
  /** It happened. `nodeSeen` is the node that answered; default the node at which it was aimed. */
  ok(output: unknown, nodeSeen?: string | null): void
  /** It certainly did not happen. */
  failed(error: string, nodeSeen?: string | null): void
  /** It may have happened, or may still happen. Retires the process. */
  unknown(error: string, nodeSeen?: string | null): void
}

/** Sees operations as they are recorded. */
export interface RecordingObserver {
  invoked(operation: Operation): void
  completed(operation: Operation): void
}

interface Tracked {
  operation: Operation
  readonly node: string | null
  readonly windows: string[]
  open: boolean
}

/**
 * Records the operations of a run as they happen.
 *
 * An operation is written to `file` (one line, native format) when it completes. Before it is sent, its invocation is
 * written to the sidecar `<file>.open`, so that a run which is killed loses nothing: `readHistory` turns what was
 * invoked and not completed into unknown operations. `close` writes those itself and removes the sidecar.
 *
 * Every event has a timestamp of its own, later than the one before: the order of events is the order of times.
 */
export class Recorder {
  readonly file: string
  readonly #clock: Clock
  readonly #history: AppendOnlyFile
  readonly #journal: AppendOnlyFile
  /** By operation id, which counts invocations. */
  readonly #tracked: Tracked[] = []
  readonly #inFlight = new Map<number | string, Tracked>()
  readonly #retired = new Set<number | string>()
  readonly #byNode = new Map<string, Tracked[]>()
  readonly #nodeOf = new Map<number | string, string | null>()
  readonly #windows = new Set<string>()
  #lastTimestamp = -1
  #lateAnswers = 0
  #closed = false

  /** Called with every operation when it is invoked and when it has its outcome. */
  observer: RecordingObserver | null = null

  /** Creates both files. Throws HistoryError `exists` or `unwritable`. */
  constructor(options: { readonly file: string; readonly clock: Clock }) {
    this.file = options.file
    this.#clock = options.clock
    // The history comes first: a sidecar beside somebody else's history would turn that into one to repair.
    this.#history = new AppendOnlyFile(options.file)
    this.#journal = new AppendOnlyFile(journalFile(options.file))
  }

  /**
   * Records that an operation is about to be sent.
   *
   * Throws HarnessError when the process has one in flight or is retired, or when the recorder is closed.
   */
  invoke(invocation: Invocation): OpenOperation {
    this.#mayInvoke(invocation)
    const { process, node } = invocation
    const tracked: Tracked = {
      operation: this.#invoked(invocation),
      node,
      windows: [...this.#windows],
      open: true,
    }
    this.#journal.append(journalLine({ invoke: tracked.operation }))
    this.#tracked.push(tracked)
    this.#inFlight.set(process, tracked)
    this.#nodeOf.set(process, node)
    if (node !== null) this.#operationsAimedAt(node).push(tracked)
    this.observer?.invoked(tracked.operation)
    return this.#handle(tracked)
  }

  /** A fault window begins: operations in flight, and those invoked until it ends, carry its id. */
  openWindow(id: string): void {
    this.#journal.append(journalLine({ openWindow: id }))
    this.#windows.add(id)
    for (const { windows } of this.#inFlight.values()) windows.push(id)
  }

  closeWindow(id: string): void {
    if (!this.#windows.delete(id)) throw new HarnessError('window', `fault window ${id} is not open`)
    this.#journal.append(journalLine({ closeWindow: id }))
  }

  /** Ids of the fault windows that are open now, in order of opening. */
  openWindows(): string[] {
    return [...this.#windows]
  }

  /** What clients have seen of a node since a moment (ns): see `nodeActivity`. */
  activity(node: string, since: number): NodeActivity {
    const aimed = this.#byNode.get(node) ?? []
    return nodeActivity(aimed, this.#inFlight.values(), { node, since, now: this.#clock.now() })
  }

  /** Every operation so far, in order of invocation; one in flight has outcome unknown. */
  operations(): Operation[] {
    return this.#tracked.map(({ operation }) => operation)
  }

  /** Operations invoked so far. */
  count(): number {
    return this.#tracked.length
  }

  inFlight(): number {
    return this.#inFlight.size
  }

  /** Answers that came after their operation had been given up as unknown. */
  lateAnswers(): number {
    return this.#lateAnswers
  }

  /** The node at which the process last aimed an operation; null when it aimed at none. */
  nodeOf(process: number | string): string | null {
    return this.#nodeOf.get(process) ?? null
  }

  /** Writes what is in flight as unknown and removes the sidecar. Safe to call twice. */
  close(): void {
    if (this.#closed) return
    for (const tracked of this.#inFlight.values()) {
      this.#complete(tracked, { error: 'no answer when the recording ended', timeout_marker: true })
    }
    this.#closed = true
    this.#history.close()
    this.#journal.close()
    rmSync(journalFile(this.file))
  }

  #mayInvoke({ process, type }: Invocation): void {
    const who = `process ${JSON.stringify(process)} invokes "${type}"`
    if (this.#closed)
      throw new HarnessError('recorder', `${who} after the recording of ${this.file} has ended`)
    const busy = this.#inFlight.get(process)
    if (busy !== undefined) {
      throw new HarnessError('recorder', `${who} while its "${busy.operation.op_type}" is still in flight`, {
        hint: 'await the operation, or use another process for concurrent ones',
      })
    }
    if (this.#retired.has(process)) {
      throw new HarnessError(
        'recorder',
        `${who}, but it is retired: an earlier operation of it has outcome unknown`,
        {
          hint: 'go on with a new process id',
        },
      )
    }
  }

  #invoked({ process, type, key, input }: Invocation): Operation {
    return {
      op_id: this.#tracked.length,
      process_id: process,
      invoke_ts: this.#tick(),
      complete_ts: null,
      op_type: type,
      key,
      input,
      output: null,
      error: 'no answer yet',
      timeout_marker: true,
      node_seen: null,
      fault_epoch: epochOf([...this.#windows]),
    }
  }

  #handle(tracked: Tracked): OpenOperation {
    const answered = () => {
      if (tracked.open) return true
      if (outcomeOf(tracked.operation) !== 'unknown') throw completedTwice(tracked.operation)
      this.#lateAnswers += 1
      return false
    }
    const settled = { error: null, timeout_marker: false } as const
    return {
      id: tracked.operation.op_id as number,
      invokedAt: tracked.operation.invoke_ts,
      ok: (output, nodeSeen = tracked.node) => {
        if (!answered()) return
        const json = recordable(output, `the output of "${tracked.operation.op_type}"`)
        this.#complete(tracked, { ...settled, complete_ts: this.#tick(), output: json, node_seen: nodeSeen })
      },
      failed: (error, nodeSeen = null) => {
        if (!answered()) return
        this.#complete(tracked, { ...settled, complete_ts: this.#tick(), error, node_seen: nodeSeen })
      },
      unknown: (error, nodeSeen = null) => {
        if (!answered()) return
        this.#complete(tracked, { error, node_seen: nodeSeen })
        this.#retired.add(tracked.operation.process_id)
      },
    }
  }

  #complete(tracked: Tracked, completion: Partial<Operation>): void {
    tracked.operation = { ...tracked.operation, ...completion, fault_epoch: epochOf(tracked.windows) }
    tracked.open = false
    this.#inFlight.delete(tracked.operation.process_id)
    this.#history.append(operationLine(tracked.operation))
    this.observer?.completed(tracked.operation)
  }

  #tick(): number {
    this.#lastTimestamp = Math.max(this.#clock.now(), this.#lastTimestamp + 1)
    return this.#lastTimestamp
  }

  #operationsAimedAt(node: string): Tracked[] {
    const known = this.#byNode.get(node)
    if (known !== undefined) return known
    const aimed: Tracked[] = []
    this.#byNode.set(node, aimed)
    return aimed
  }
}

function epochOf(windows: readonly string[]): string | null {
  return windows.length === 0 ? null : windows.join('+')
}

function completedTwice({ op_id, op_type }: Operation): HarnessError {
  return new HarnessError('recorder', `operation ${op_id} ("${op_type}") is completed twice`, {
    hint: 'an operation has one outcome; a retry is a new operation',
  })
}
