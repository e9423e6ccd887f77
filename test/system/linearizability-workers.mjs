// Judges registers that only the search can decide, several at a time, by the built package; prints the result. The
// history has values that repeat and more clients in flight at once than a moment is enough for.
//
//   node test/system/linearizability-workers.mjs TIMEOUT_MS MEMORY_MB OPERATIONS_A_KEY
import { linearizable } from 'vitest-nemesis/checkers'
import { register } from 'vitest-nemesis/models'

const [timeoutMs, memoryMb, perKey] = process.argv.slice(2).map(Number)
const clients = 20
const values = 100

function numbers(seed) {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/** A real register under load: each step of a random client invokes, takes effect or returns. */
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
      const writes = below(2) === 1
      const operation = {
        op_id: `${key}/${operations.length}`,
        process_id: `${key}/${client}`,
        invoke_ts: now++,
        complete_ts: null,
        op_type: writes ? 'write' : 'read',
        key,
        input: writes ? below(values) : null,
        output: null,
        error: null,
        timeout_marker: false,
        node_seen: null,
        fault_epoch: null,
      }
      operations.push(operation)
      busy.set(client, { operation, isApplied: false })
    } else if (!open.isApplied) {
      if (open.operation.op_type === 'write') value = open.operation.input
      else open.operation.output = value
      open.isApplied = true
    } else {
      open.operation.complete_ts = now++
      busy.delete(client)
    }
  }
  return operations
}

const operations = [1, 2, 3, 4].flatMap(play)
const input = { operations, model: register(), collected: null, timeoutMs, memoryMb }
const { valid, reason, evidence } = await linearizable().check(input)
const workers = process.getActiveResourcesInfo().filter((name) => name.includes('Worker')).length
const peakMb = process.resourceUsage().maxRSS / 1_024
process.stdout.write(`${JSON.stringify({ valid, reason, evidence, peakMb, workers })}\n`)
