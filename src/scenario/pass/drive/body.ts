import { recordable } from '../../../history/recordable.js'
import type { Recorder } from '../../../history/recorder.js'
import type { Json } from '../../../json.js'
import type { ActiveFault } from '../../../nemesis/inject.js'
import type { Nemesis } from '../../../nemesis/fault.js'
import type { Random } from '../../../random/random.js'
import type { SystemNode } from '../../../systems/system.js'
import { SystemError } from '../../../errors.js'
import { milliseconds, type Duration } from '../../../time/duration.js'
import { performOperation } from '../../../workload/perform.js'
import type { WorkloadSpec } from '../../../workload/workload.js'
import { sleep } from '../../../time/sleep.js'
import { poll } from '../poll.js'

/** An operation of an imperative body. `node` defaults to the node of client `process` modulo the number of nodes. */
export interface BodyOperation {
  /** Which client performs it, from 0. After an unknown outcome the client goes on as another process of the history. */
  readonly process: number
  readonly type: string
  readonly key?: string | number
  readonly input?: Json
  readonly node?: string
  /** Unknown after this long. Default 1 s. */
  readonly timeout?: Duration
}

/**
 * How an operation of a body ended: what it threw is in `error`. `op` rejects only with a HarnessError, as for an input
 * or output that cannot be recorded.
 */
export type BodyOutcome =
  | { readonly outcome: 'ok'; readonly output: Json }
  | { readonly outcome: 'failed' | 'unknown'; readonly error: unknown }

/** What an imperative body works with. */
export interface BodyTools<Client = unknown> {
  readonly nodes: readonly SystemNode[]
  /** One client connected to each node, in the order of `nodes`. */
  readonly clients: readonly Client[]
  /** Performs and records one operation. */
  op(operation: BodyOperation, run: (signal: AbortSignal) => Promise<unknown>): Promise<BodyOutcome>
  /** Injects a fault; resolves when it is proven to have landed, or is known not to have. */
  inject(nemesis: Nemesis): Promise<ActiveFault>
  /** Waits for an event. Throws SystemError when it does not come in time (default 30 s). */
  until<T>(
    condition: () => Promise<T> | T,
    options?: { timeout?: Duration; what?: string },
  ): Promise<NonNullable<T>>
  readonly random: Random
  /** The arm that runs; null in a scenario without arms. */
  readonly arm: string | null
  /** Adds a line to the session log. */
  log(message: string): void
  sleep(duration: Duration): Promise<void>
  readonly signal: AbortSignal
}

export type ScenarioBody<Client = never> = (tools: BodyTools<Client>) => Promise<void> | void

export interface BodyEnvironment<Client> {
  readonly nodes: readonly SystemNode[]
  readonly clients: readonly Client[]
  readonly recorder: Recorder
  readonly processes: BodyProcesses
  readonly random: Random
  readonly arm: string | null
  readonly signal: AbortSignal
  readonly classify: WorkloadSpec<never>['classify']
  inject(nemesis: Nemesis): Promise<ActiveFault>
  log(message: string): void
}

/** The tools of one run of a body. */
export function bodyTools<Client>(environment: BodyEnvironment<Client>): BodyTools<Client> {
  const { nodes, clients, random, arm, signal } = environment
  return {
    nodes,
    clients,
    random,
    arm,
    signal,
    inject: environment.inject,
    log: environment.log,
    op: (operation, run) => performBodyOperation(environment, operation, run),
    sleep: (duration) => sleep(milliseconds(duration, 'sleep'), signal),
    async until(condition, options = {}) {
      const timeoutMs = milliseconds(options.timeout ?? '30s', 'until.timeout')
      const polled = await poll(condition, { timeoutMs, signal })
      if (polled.done) return polled.value
      throw new SystemError(
        'until',
        `${options.what ?? 'the awaited event'} did not come within ${timeoutMs} ms`,
        {
          hint: `last seen: ${polled.last}`,
        },
      )
    },
  }
}

/** The processes of a body's clients: named apart from those of a workload that runs beside it. */
export class BodyProcesses {
  readonly #retirements = new Map<number, number>()

  of(client: number): string {
    return `body-${client}.${this.#retirements.get(client) ?? 0}`
  }

  retire(client: number): void {
    this.#retirements.set(client, (this.#retirements.get(client) ?? 0) + 1)
  }
}

async function performBodyOperation<Client>(
  { recorder, processes, nodes, classify, signal }: BodyEnvironment<Client>,
  operation: BodyOperation,
  run: (signal: AbortSignal) => Promise<unknown>,
): Promise<BodyOutcome> {
  let output: Json = null
  const { outcome, error } = await performOperation({
    recorder,
    classify,
    signal,
    timeoutMs: milliseconds(operation.timeout ?? '1s', 'op.timeout'),
    invocation: {
      process: processes.of(operation.process),
      type: operation.type,
      key: operation.key ?? null,
      // As it is now: a body may go on to change what it gave.
      input: recordable(operation.input, `the input of "${operation.type}"`),
      node: operation.node ?? nodes[operation.process % nodes.length]?.name ?? null,
    },
    run: async (context) => (output = ((await run(context.signal)) ?? null) as Json),
  })
  if (outcome === 'unknown') processes.retire(operation.process)
  return outcome === 'ok' ? { outcome, output } : { outcome, error }
}
