import { setMaxListeners } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../history/clock.js'
import { Processes } from '../history/processes.js'
import type { Recorder } from '../history/recorder.js'
import type { Random } from '../random/random.js'
import type { Load } from '../session/record.js'
import { milliseconds, perSecond, type Duration } from '../time/duration.js'
import { provesNothingSent } from './classify.js'
import { Connection } from './connection.js'
import { LoadMeter, type Second } from './meter.js'
import { closedLoop, openLoop, type Pace } from './pace.js'
import { performOperation } from './perform.js'
import { planOperations, type PlannedOperation } from './plan.js'
import { Span } from './span.js'
import { sleep } from '../time/sleep.js'
import type { Workload, WorkloadSpec } from './workload.js'

export interface DriveOptions<Client, Node extends { readonly name: string }> {
  readonly workload: Workload<Client>
  /** Client i talks to node i modulo their number. */
  readonly nodes: readonly Node[]
  connect(node: Node): Client | Promise<Client>
  close(client: Client): void | Promise<void>
  readonly recorder: Recorder
  readonly clock: Clock
  /** Determines the sequence of operations and, in an open loop, their intended starts: see `planOperations`. */
  readonly random: Random
  /** No operation starts after this long; those in flight are waited for. */
  readonly durationMs: number
  /** The workload goes on beyond its duration until this is settled. */
  readonly goOn?: Promise<unknown>
  /** Ends the workload early; operations in flight become unknown. */
  readonly signal: AbortSignal
  /** Called about once a second. */
  onProgress?(progress: Progress): void
}

export interface Progress extends Readonly<Second> {
  readonly elapsedMs: number
  readonly inFlight: number
  /** Operations that ended in the last full second. */
  readonly perSecond: number
}

export interface Driven {
  readonly load: Load
  /** The workload phase on the run's clock, in nanoseconds. */
  readonly startedAt: number
  readonly endedAt: number
  /** One entry for each second of the workload. */
  readonly throughput: readonly Readonly<Second>[]
  /** Open loop: operations whose intended start came and which no client was free to send before the end. */
  readonly unstarted: number
  /** Remarks for the reader, such as clients that could not be closed. */
  readonly notes: readonly string[]
}

/** After a connection is lost its client rests until this long after the start of the operation that lost it. */
const reconnectPauseMs = 100

/**
 * Drives a system with concurrent clients until the time is over, and records every operation.
 *
 * Closed loop: each client sends its next operation when it has the answer to the last one. Open loop (`rate`): there
 * is one schedule of intended starts for all clients; an operation that finds all of them busy starts late, and its
 * latency counts from the intended start all the same, so a stall shows in every operation that it held up (no
 * coordinated omission). Timers wake up to about 1 ms late, which counts too.
 *
 * A client whose operation ends unknown, or shows that its connection is lost, is closed, goes on under a new process id
 * (`Processes`) and connects again when its next operation needs it: a process is one session of the system. An
 * operation whose connection cannot be opened is failed: nothing was sent.
 *
 * Rejects with the first HarnessError or HistoryError, after all clients have ended.
 */
export async function drive<Client, Node extends { readonly name: string }>(
  options: DriveOptions<Client, Node>,
): Promise<Driven> {
  const { clock, signal } = options
  const { spec } = options.workload
  const stop = new AbortController()
  // Every operation in flight listens to the one, every client that connects to the other.
  setMaxListeners(0, stop.signal, signal)
  const cancel = () => stop.abort(signal.reason)
  if (signal.aborted) cancel()
  else signal.addEventListener('abort', cancel)

  const clients = clientsOf(options)
  await Promise.all(clients.map(({ connection }) => connectAhead(connection, timeoutMsOf(spec), stop.signal)))
  const span = new Span({
    clock,
    durationMs: options.durationMs,
    signal: stop.signal,
    ...(options.goOn === undefined ? {} : { goOn: options.goOn }),
  })
  const { startedAt } = span
  const phase: Phase<Client> = {
    spec,
    recorder: options.recorder,
    clock,
    signal: stop.signal,
    processes: new Processes(spec.clients),
    plan: planOperations(spec, options.random),
    pace:
      spec.rate === undefined
        ? closedLoop(span)
        : openLoop(span, { rate: perSecond(spec.rate, 'workload.rate'), random: options.random }),
    meter: new LoadMeter(startedAt),
  }
  const ticker = options.onProgress === undefined ? null : tick(phase, startedAt, options.onProgress)
  let notes: string[] = []
  let endedAt = startedAt
  try {
    await allOrFirstError(
      clients.map((client) => driveClient(phase, client)),
      stop,
    )
    // The last operation of an open loop may end a moment before the time is over, and a timer may fire a moment early.
    await sleep(Math.ceil(span.leftMs) + 1, stop.signal)
  } finally {
    endedAt = Math.min(clock.now(), span.endsAt)
    if (ticker !== null) clearInterval(ticker)
    signal.removeEventListener('abort', cancel)
    notes = await endConnections(clients)
  }
  const unstarted = phase.pace.unstarted()
  return {
    load: phase.meter.load({ endedAt, intendedRate: phase.pace.rate, unstarted }),
    startedAt,
    endedAt,
    throughput: phase.meter.throughput(endedAt),
    unstarted: unstarted.length,
    notes,
  }
}

/** What all clients of one workload phase share. */
interface Phase<Client> {
  readonly spec: WorkloadSpec<Client>
  readonly recorder: Recorder
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly processes: Processes
  readonly plan: Iterator<PlannedOperation, never>
  readonly pace: Pace
  readonly meter: LoadMeter
}

interface DrivenClient<Client> {
  readonly index: number
  readonly node: string
  readonly connection: Connection<Client>
}

function clientsOf<Client, Node extends { readonly name: string }>(
  options: DriveOptions<Client, Node>,
): DrivenClient<Client>[] {
  return Array.from({ length: options.workload.spec.clients }, (_, index) => {
    const node = options.nodes[index % options.nodes.length]!
    const connection = new Connection<Client>({
      connect: () => options.connect(node),
      close: (client) => options.close(client),
    })
    return { index, node: node.name, connection }
  })
}

/** Connects before the clock of the workload starts, so that the first operations do not pay for it. */
async function connectAhead<Client>(connection: Connection<Client>, timeoutMs: number, signal: AbortSignal) {
  const given = new AbortController()
  const settled = new AbortController()
  const opened = connection
    .open(given.signal)
    // A client that cannot connect now tries again with its first operation, which records what went wrong.
    .catch(() => undefined)
    .finally(() => settled.abort())
  await Promise.race([opened, sleep(timeoutMs, AbortSignal.any([signal, settled.signal]))])
  given.abort(new Error('took too long'))
}

async function driveClient<Client>(phase: Phase<Client>, client: DrivenClient<Client>): Promise<void> {
  const { pace, plan, signal } = phase
  const thinkMs = milliseconds(phase.spec.think ?? 0, 'workload.think')
  for (let intended = await pace.next(); intended !== null; intended = await pace.next()) {
    await performPlanned(phase, client, plan.next().value, intended)
    await sleep(thinkMs, signal)
    // Answers that are there at once would otherwise keep timers and the other clients from their turn.
    await nextTurn()
  }
}

async function performPlanned<Client>(
  { spec, recorder, clock, signal, processes, meter }: Phase<Client>,
  { index, node, connection }: DrivenClient<Client>,
  { type, key, value }: PlannedOperation,
  intended: number,
): Promise<void> {
  let client: Client
  const begunAt = clock.now()
  const measured = meter.invoke({ intended, invoked: begunAt })
  const { outcome, error, sent } = await performOperation({
    recorder,
    invocation: { process: processes.of(index), type, key, input: value, node },
    timeoutMs: timeoutMsOf(spec),
    classify: spec.classify,
    signal,
    prepare: async (patience) => void (client = await connection.open(patience)),
    // The contract types the key as a string for convenience: it is null when the workload declares no keys.
    run: (context) => spec.operations[type]!.run({ ...context, client, key: key as string, value }),
  })
  meter.end(measured, outcome, clock.now())
  if (outcome === 'unknown' || !sent || provesNothingSent(error)) {
    // A process is a session of the system, which ends with its connection.
    const wasOpen = connection.drop()
    if (wasOpen || outcome === 'unknown') processes.retire(index)
    await sleep(reconnectPauseMs - (clock.now() - begunAt) / 1e6, signal)
  }
}

/** Waits for all. The first error stops the others and is thrown when they have ended. */
async function allOrFirstError(works: readonly Promise<void>[], stop: AbortController): Promise<void> {
  const stopping = works.map((work) =>
    work.catch((error: unknown) => {
      stop.abort(error)
      throw error
    }),
  )
  const settled = await Promise.allSettled(stopping)
  const errors = settled.flatMap((it) => (it.status === 'rejected' ? [it.reason as unknown] : []))
  if (errors.length > 0) throw errors[0]
}

async function endConnections<Client>(clients: readonly DrivenClient<Client>[]): Promise<string[]> {
  const errors = await Promise.all(
    clients.map(async ({ node, connection }) => ({ node, errors: await connection.end() })),
  )
  return errors.flatMap(({ node, errors: messages }) =>
    [...new Set(messages)].map((message) => `a client of ${node} could not be closed: ${message}`),
  )
}

function tick<Client>(
  { meter, recorder, clock }: Phase<Client>,
  startedAt: number,
  onProgress: (progress: Progress) => void,
): NodeJS.Timeout {
  let before = 0
  return setInterval(() => {
    const ended = meter.totals.ok + meter.totals.failed + meter.totals.unknown
    onProgress({
      ...meter.totals,
      elapsedMs: (clock.now() - startedAt) / 1e6,
      inFlight: recorder.inFlight(),
      perSecond: ended - before,
    })
    before = ended
  }, 1_000)
}

function timeoutMsOf(spec: { readonly timeout?: Duration }): number {
  return milliseconds(spec.timeout ?? '1s', 'workload.timeout')
}
