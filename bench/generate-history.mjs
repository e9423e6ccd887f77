// Histories of a real register or queue under load, the same for the same arguments everywhere: Jepsen-style events.
//
//   node bench/generate-history.mjs KIND OPERATIONS CLIENTS [SEED] > history.ndjson
//
// KIND is register, register-unknown, register-stale, queue or queue-swap; with `-sparse` at its end about a fifth of
// the clients are in flight at a time instead of two thirds. All are linearizable by construction but `-stale`, whose
// first read among the last 5% returns a value that was surely overwritten, and `-swap`, where two dequeues among the
// last 5% have exchanged their values against the order of the queue.
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'

/** A stream of unsigned 32-bit numbers (mulberry32). */
function numbers(seed) {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}

const idle = 0
const invoked = 1
const applied = 2

/**
 * Plays clients against the object. Each step is one of a random client: it invokes, the operation takes effect, or it
 * returns. Returns operations `{ process, f, input, output, unknown, call, end }`, where `call` and `end` are positions
 * of events, and how many events there are.
 */
function play({ kind, operations: total, clients, seed }) {
  const sparse = kind.endsWith('-sparse')
  const isQueue = kind.startsWith('queue')
  const mayBeUnknown = kind.startsWith('register-unknown')
  const next = numbers(seed)
  const below = (limit) => next() % limit
  const slots = Array.from({ length: clients }, (_, process) => ({ process, phase: idle, operation: null }))
  const operations = []
  const queue = []
  let register = null
  let head = 0
  let written = 0
  let busy = 0
  let position = 0

  const apply = (operation) => {
    if (operation.f === 'write' && operation.takesEffect) register = operation.input
    if (operation.f === 'read') operation.output = register
    if (operation.f === 'enqueue') queue.push(operation.input)
    if (operation.f === 'dequeue' && head < queue.length) operation.output = queue[head++]
  }

  while (operations.length < total || busy > 0) {
    const client = slots[below(clients)]
    if (client.phase === idle) {
      if (operations.length === total) continue
      if (sparse && below(8) !== 0) continue
      const changes = below(2) === 1
      const unknown = mayBeUnknown && below(20) === 0
      const operation = {
        process: client.process,
        f: isQueue ? (changes ? 'enqueue' : 'dequeue') : changes ? 'write' : 'read',
        input: changes ? ++written : null,
        output: null,
        takesEffect: unknown ? below(2) === 1 : true,
        unknown,
        call: position++,
        end: -1,
      }
      operations.push(operation)
      client.operation = operation
      client.phase = invoked
      busy += 1
    } else if (client.phase === invoked) {
      apply(client.operation)
      client.phase = applied
    } else {
      client.operation.end = position++
      client.phase = idle
      busy -= 1
      // A process whose operation has an unknown outcome is not used again.
      if (client.operation.unknown) client.process += clients
    }
  }
  return { operations, events: position }
}

/** Lets the first read among the last 5% see the last value that a known overwrite had replaced by then. */
function plantStaleRead(operations) {
  const read = operations.slice(Math.floor(operations.length * 0.95)).find(({ f }) => f === 'read')
  const writes = operations.filter(({ f, unknown }) => f === 'write' && !unknown)
  const overwrite = writes.findLast(({ end }) => end < read.call)
  let overwritten = null
  for (const write of writes) {
    if (write.end < overwrite.call && (overwritten === null || write.end > overwritten.end))
      overwritten = write
  }
  read.output = overwritten.input
}

/** Swaps the values of the first two dequeues among the last 5% whose order, and whose values' order, is certain. */
function plantSwap(operations) {
  const enqueues = new Map(operations.filter(({ f }) => f === 'enqueue').map((one) => [one.input, one]))
  const late = operations.slice(Math.floor(operations.length * 0.95))
  const dequeues = late.filter(({ f, output }) => f === 'dequeue' && output !== null)
  for (const first of dequeues) {
    const second = dequeues.find(
      ({ call, output }) => first.end < call && enqueues.get(first.output).end < enqueues.get(output).call,
    )
    if (second === undefined) continue
    ;[first.output, second.output] = [second.output, first.output]
    return
  }
  throw new Error('no two dequeues can be swapped')
}

/** The history as text, a few thousand events at a time. */
export function* generateHistory({ kind, operations: total, clients, seed = 1 }) {
  const { operations, events } = play({ kind, operations: total, clients, seed })
  if (kind.startsWith('register-stale')) plantStaleRead(operations)
  if (kind.startsWith('queue-swap')) plantSwap(operations)
  const lines = new Array(events)
  for (const { process, f, input, output, unknown, call, end } of operations) {
    lines[call] = event(process, 'invoke', f, input)
    lines[end] = unknown ? event(process, 'info', f, input) : event(process, 'ok', f, input ?? output)
  }
  for (let at = 0; at < events; at += 10_000) yield lines.slice(at, at + 10_000).join('')
}

function event(process, type, f, value) {
  return `{"process":${process},"type":"${type}","f":"${f}","key":null,"value":${value}}\n`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [kind, operations, clients, seed = '1'] = process.argv.slice(2)
  if (clients === undefined) {
    process.stderr.write('node bench/generate-history.mjs KIND OPERATIONS CLIENTS [SEED]\n')
    process.exit(2)
  }
  const wanted = { kind, operations: Number(operations), clients: Number(clients), seed: Number(seed) }
  for (const text of generateHistory(wanted)) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain')
  }
}
