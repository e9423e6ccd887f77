// Judges objects that only the search can decide, several at a time, by the built package; prints the result. The
// history has values that repeat and more clients in flight at once than a moment is enough for.
//
//   node test/system/linearizability-workers.mjs MODEL TIMEOUT_MS MEMORY_MB OPERATIONS_A_KEY [CANCEL_AFTER_MS]
//
// MODEL is register, strings (what is put, appended and got), or own: the same as the user modelled it. The check is
// cancelled so long after it told of progress for the first time.
import { linearizable } from 'vitest-nemesis/checkers'
import { kvStringAppend, model, register } from 'vitest-nemesis/models'

const [name, ...numbersGiven] = process.argv.slice(2)
const [timeoutMs, memoryMb, perKey, cancelAfterMs] = numbersGiven.map(Number)
const keys = [1, 2, 3, 4]
const clients = name === 'register' ? 20 : 6
const values = 100

function numbers(seed) {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/** What a client calls next: a write or read of a register, or of a string that may also grow. */
function drawn(below) {
  const changes = below(2) === 1
  if (name === 'register') return changes ? { op_type: 'write', input: below(values) } : { op_type: 'read' }
  if (!changes) return { op_type: 'get' }
  return { op_type: below(4) === 0 ? 'put' : 'append', input: String(below(values)) }
}

function after(value, { op_type: type, input }) {
  return type === 'append' ? `${value ?? ''}${input}` : input
}

/** A real object under load: each step of a random client invokes, takes effect or returns. */
function play(key) {
  const below = numbers(key)
  const busy = new Map()
  const operations = []
  let value = null
  let now = 0
  while (operations.length < perKey || busy.size > 0) {
    const client = below(clients)
    const open = busy.get(client)
    if (open === undefined) {
      if (operations.length === perKey) continue
      const operation = {
        op_id: `${key}/${operations.length}`,
        process_id: `${key}/${client}`,
        invoke_ts: now++,
        complete_ts: null,
        key,
        input: null,
        output: null,
        ...drawn(below),
        error: null,
        timeout_marker: false,
        node_seen: null,
        fault_epoch: null,
      }
      operations.push(operation)
      busy.set(client, { operation, isApplied: false })
    } else if (!open.isApplied) {
      if (open.operation.input === null) open.operation.output = value
      else value = after(value, open.operation)
      open.isApplied = true
    } else {
      open.operation.complete_ts = now++
      busy.delete(client)
    }
  }
  return operations
}

const ownStrings = () =>
  model({
    name: 'kv-string-append',
    operations: ['get', 'put', 'append'],
    observers: ['get'],
    init: () => null,
    step(state, operation) {
      if (operation.type !== 'get') return after(state, { ...operation, op_type: operation.type })
      return operation.output === state ? state : undefined
    },
  })

const models = { register, strings: kvStringAppend, own: ownStrings }
const operations = keys.flatMap(play)
const told = []
const controller = new AbortController()
const { valid, reason, evidence, ms } = await linearizable().check({
  ...{ operations, model: models[name](), collected: null, timeoutMs, memoryMb, signal: controller.signal },
  onProgress(progress) {
    if (told.length === 0 && cancelAfterMs !== undefined) setTimeout(() => controller.abort(), cancelAfterMs)
    told.push(progress)
  },
})
const threads = process.getActiveResourcesInfo().filter((resource) => resource.includes('Worker')).length
const peakMb = process.resourceUsage().maxRSS / 1_024
process.stdout.write(`${JSON.stringify({ valid, reason, evidence, ms, peakMb, threads, told })}\n`)
