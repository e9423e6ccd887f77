import { setMaxListeners } from 'node:events'
import { HarnessError } from '../errors.js'
import type { Clock } from '../history/clock.js'
import { Processes } from '../history/processes.js'
import type { Recorder } from '../history/recorder.js'
import type { Json } from '../json.js'
import type { Load } from '../session/record.js'
import { milliseconds } from '../time/duration.js'
import { provesNothingSent } from './classify.js'
import { Connection } from './connection.js'
import type { Marks, Turn } from './marks.js'
import { LoadMeter } from './meter.js'
import { performOperation } from './perform.js'
import type { OperationSpec, Workload } from './workload.js'

/** One operation of a script. Its marks are `<id> invoked` and `<id> ended`. */
export interface ScriptedOperation extends Turn {
  /** `o1`, `o2`, … in the order in which they were invoked. */
  readonly id: string
  /** From 0; each has a connection of its own, and one operation in flight. */
  readonly client: number
  /** Name of the node that the client is connected to. */
  readonly node: string
  readonly type: string
  readonly key: string | number | null
  readonly value: Json
}

export interface ScriptOptions<Client, Node extends { readonly name: string }> {
  /** Performs the operations: its `run` functions, its timeout, its `classify`. */
  readonly workload: Workload<Client>
  readonly nodes: readonly Node[]
  connect(node: Node): Client | Promise<Client>
  close(client: Client): void | Promise<void>
  readonly recorder: Recorder
  readonly clock: Clock
  readonly operations: readonly ScriptedOperation[]
  /** Told when operations begin and end, and asked when they may. */
  readonly marks: Marks
  /** Ends the script early; operations in flight become unknown. */
  readonly signal: AbortSignal
}

/** What a script left behind. */
export interface Scripted {
  readonly load: Load
  /** On the run's clock, in nanoseconds. */
  readonly startedAt: number
  readonly endedAt: number
  /** Remarks for the reader, such as clients that could not be closed. */
  readonly notes: readonly string[]
}

/**
 * Performs the operations of a script, each when its turn has come, and records them like those of a workload.
 *
 * A client goes on under a new process and connection after an unknown outcome, as in `drive`. Throws HarnessError when
 * the workload has no such operation or the system no such node, and what `performOperation` throws.
 */
export async function performScript<Client, Node extends { readonly name: string }>(
  options: ScriptOptions<Client, Node>,
): Promise<Scripted> {
  const { operations, clock, signal } = options
  setMaxListeners(0, signal)
  const connections = connectionsOf(options)
  // A client that cannot connect now tries again with its operation, which records what went wrong.
  await Promise.all([...connections.values()].map((connection) => connection.open(signal).catch(() => null)))
  const startedAt = clock.now()
  const meter = new LoadMeter(startedAt)
  const processes = new Processes(Math.max(0, ...operations.map(({ client }) => client)) + 1)
  const notes: string[] = []
  const performing = operations.map(async (operation) => {
    const connection = connections.get(operation.client)
    if (connection === undefined || !(await options.marks.until(operation, signal))) return
    await perform(operation, { ...options, connection, meter, processes })
  })
  try {
    const settled = await Promise.allSettled(performing)
    for (const one of settled) if (one.status === 'rejected') throw one.reason
  } finally {
    for (const connection of connections.values()) {
      notes.push(...(await connection.end()).map((error) => `a client could not be closed: ${error}`))
    }
  }
  const endedAt = clock.now()
  return { load: meter.load({ endedAt, intendedRate: null, unstarted: [] }), startedAt, endedAt, notes }
}

interface Performing<Client> extends Pick<
  ScriptOptions<Client, never>,
  'workload' | 'recorder' | 'clock' | 'marks' | 'signal'
> {
  readonly connection: Connection<Client>
  readonly meter: LoadMeter
  readonly processes: Processes
}

async function perform<Client>(operation: ScriptedOperation, performing: Performing<Client>): Promise<void> {
  const { connection, recorder, clock, marks, meter, processes, signal } = performing
  const { spec } = performing.workload
  const { id, client: index, type, key, value, node } = operation
  const { run } = operationOf(spec.operations, type)
  let client: Client
  const now = clock.now()
  const started = meter.invoke({ intended: now, invoked: now })
  const performed = performOperation({
    recorder,
    invocation: { process: processes.of(index), type, key, input: value, node },
    timeoutMs: milliseconds(spec.timeout ?? '1s', 'workload.timeout'),
    classify: spec.classify,
    signal,
    prepare: async (patience) => void (client = await connection.open(patience)),
    // As in `drive`: the key is null when the workload declares none.
    run: (context) => run({ ...context, client, key: key as string, value }),
  })
  marks.reach(`${id} invoked`)
  try {
    const { outcome, error, sent } = await performed
    meter.end(started, outcome, clock.now())
    if (outcome !== 'unknown' && sent && !provesNothingSent(error)) return
    const wasOpen = connection.drop()
    if (wasOpen || outcome === 'unknown') processes.retire(index)
  } finally {
    marks.reach(`${id} ended`)
  }
}

function operationOf<Client>(
  operations: Readonly<Record<string, OperationSpec<Client>>>,
  type: string,
): OperationSpec<Client> {
  const operation = Object.hasOwn(operations, type) ? operations[type] : undefined
  if (operation !== undefined) return operation
  throw new HarnessError('script', `the workload has no operation '${type}', which the script performs`, {
    hint: `it has ${Object.keys(operations).join(', ')}; reduce the violation again`,
  })
}

function connectionsOf<Client, Node extends { readonly name: string }>(
  options: ScriptOptions<Client, Node>,
): Map<number, Connection<Client>> {
  const connections = new Map<number, Connection<Client>>()
  for (const { client, node: name } of options.operations) {
    if (connections.has(client)) continue
    const node = options.nodes.find((one) => one.name === name)
    if (node === undefined) {
      throw new HarnessError('script', `the system has no node '${name}', which the script talks to`, {
        hint: `it has ${options.nodes.map((one) => one.name).join(', ')}`,
      })
    }
    connections.set(
      client,
      new Connection<Client>({
        connect: () => options.connect(node),
        close: (open) => options.close(open),
      }),
    )
  }
  return connections
}
