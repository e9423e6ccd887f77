// What it costs to know that a checker would have noticed: the time of `sensitivityOf` over that of the check itself, for
// linearizability of every model on generated histories. Needs `npm run build` before.
//
//   node bench/sensitivity.mjs [--models register,queue] [--operations 1000,100000] [--json]
//
// Each line is of a process of its own, which checks the history once, as a run does. Times are user and system time of
// all threads, so that other work on the machine matters little.
import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    models: {
      type: 'string',
      default: 'register,cas-register,map,queue,stack,priority-queue,counter,set,log,lock,semaphore,session',
    },
    operations: { type: 'string', default: '1000,10000,100000' },
    json: { type: 'boolean', default: false },
    one: { type: 'string' },
  },
})
const clients = 5
const mostMs = 60_000

if (values.one !== undefined)
  console.log(JSON.stringify(await measured(values.one, Number(values.operations))))
else {
  if (!values.json) {
    const load = loadavg()[0]?.toFixed(1)
    console.log(`Node ${process.version}, ${availableParallelism()} x ${cpus()[0]?.model}, load ${load}\n`)
    console.log(
      'history'.padEnd(36),
      'check'.padStart(10),
      'mutants'.padStart(10),
      'ratio'.padStart(7),
      '  noticed',
    )
  }
  for (const model of values.models.split(',')) {
    for (const operations of values.operations.split(',')) report(model, operations)
  }
}

function report(model, operations) {
  const self = fileURLToPath(import.meta.url)
  const args = [self, '--one', model, '--operations', operations]
  const line = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  if (values.json) {
    console.log(JSON.stringify({ model, operations: Number(operations), ...line }))
    return
  }
  const { checkMs, mutantsMs, killed, mutants, reason } = line
  console.log(
    `${model}, ${operations} operations`.padEnd(36),
    `${checkMs.toFixed(0)} ms`.padStart(10),
    `${mutantsMs.toFixed(0)} ms`.padStart(10),
    `${(mutantsMs / checkMs).toFixed(2)}x`.padStart(7),
    `  ${killed} of ${mutants}${reason === null ? '' : `; ${reason}`}`,
  )
}

async function measured(name, operationsCount) {
  const { validHistory } = await import('../dist/src/generators/valid-history.js')
  const { linearizable } = await import('../dist/src/checkers/index.js')
  const { modelNamed } = await import('../dist/src/models/named.js')
  const { sensitivityOf } = await import('../dist/src/sensitivity/sensitivity.js')
  const checker = linearizable()
  const model = modelNamed(name)
  const shape = { operations: operationsCount, processes: clients, unknown: 0.01, failed: 0.01, seed: 1 }
  const history = { operations: validHistory(model, shape), model, collected: null }
  const [clean, checkMs] = await timed(() => checker.check({ ...history, timeoutMs: mostMs }))
  if (clean.valid !== true) return { checkMs, mutantsMs: 0, killed: 0, mutants: 0, reason: clean.reason }
  const { signal } = new AbortController()
  const [result, mutantsMs] = await timed(() =>
    sensitivityOf({ checker, history, clean, faults: [], options: {}, seed: 1, signal }),
  )
  const { killed, mutants, reason } = result
  return { checkMs, mutantsMs, killed, mutants, reason }
}

/** What the work came to, and how much CPU time of all threads it took. */
async function timed(work) {
  const before = process.cpuUsage()
  const value = await work()
  const { user, system } = process.cpuUsage(before)
  return [value, (user + system) / 1_000]
}
