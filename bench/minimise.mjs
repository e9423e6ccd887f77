// What it takes to make a violation small: `minimise` on generated histories of which one mutation made a violation, with the
// size of what the checker named and of the core: `state + 1` begins with a state in the midst of the history, and `open` are
// the other changes that may take effect after it. Needs `npm run build` before.
//
//   node bench/minimise.mjs [--subjects linearizable/register,sequential/register] [--operations 100000] [--mutants 2] [--json]
//
// Each history is measured in a process of its own, from the checker's result on; times are wall-clock time.
import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const ordinary = [
  'linearizable/register',
  'linearizable/cas-register',
  'linearizable/queue',
  'linearizable/stack',
  'linearizable/log',
  'log-offsets/log',
  'linearizable/set',
  'linearizable/lock',
  'mutual-exclusion/lock',
  'linearizable/counter',
  'session-consistency/session',
  'session-consistency/register',
]

const { values } = parseArgs({
  options: {
    subjects: { type: 'string', default: ordinary.join(',') },
    operations: { type: 'string', default: '100000' },
    mutants: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    one: { type: 'string' },
  },
})
const mostMs = 60_000

if (values.one === undefined) printAll()
else console.log(JSON.stringify(await measured(values.one)))

function printAll() {
  if (!values.json) {
    const load = loadavg()[0]?.toFixed(1)
    console.log(`Node ${process.version}, ${availableParallelism()} x ${cpus()[0]?.model}, load ${load}\n`)
    const titles = ['check', 'minimise', 'checks', 'named', 'core', 'open'].map((title) => title.padStart(10))
    console.log('history'.padEnd(34), 'mutation'.padEnd(20), ...titles)
  }
  for (const subject of values.subjects.split(',')) {
    const args = ['--one', subject, '--operations', values.operations, '--mutants', values.mutants]
    const text = execFileSync(
      process.execPath,
      [fileURLToPath(import.meta.url), ...args, '--seed', values.seed],
      {
        encoding: 'utf8',
      },
    )
    for (const line of JSON.parse(text)) print(subject, line)
  }
}

function print(subject, line) {
  if (values.json) {
    console.log(JSON.stringify({ subject, operations: Number(values.operations), ...line }))
    return
  }
  const { mutation, checkMs, core, named, reason } = line
  const figures =
    core === null
      ? [`${checkMs.toFixed(0)} ms`, reason]
      : [
          `${checkMs.toFixed(0)} ms`,
          `${core.ms.toFixed(0)} ms`,
          core.checks,
          named,
          `${core.isFromAState ? 'state + ' : ''}${core.operations}${core.minimal ? '' : ' (not minimal)'}`,
          core.open,
        ]
  console.log(
    `${subject}, ${values.operations}`.padEnd(34),
    mutation.padEnd(20),
    ...figures.map((figure) => String(figure).padStart(10)),
  )
}

async function measured(subject) {
  const { validHistory } = await import('../dist/src/generators/valid-history.js')
  const { checkerNamed } = await import('../dist/src/checkers/named.js')
  const { modelNamed } = await import('../dist/src/models/named.js')
  const { minimise } = await import('../dist/src/findings/minimise/minimise.js')
  const { shortestAnomaly } = await import('../dist/src/findings/violation.js')
  const { forbiddenBy } = await import('../dist/src/sensitivity/forbids.js')
  const { Mutants } = await import('../dist/src/sensitivity/mutants.js')
  const { Random } = await import('../dist/src/random/random.js')
  const [checkerName, modelName] = subject.split('/')
  const checker = checkerNamed(checkerName)
  const model = modelNamed(modelName)
  const seed = Number(values.seed)
  const shape = { operations: Number(values.operations), processes: 5, unknown: 0.01, failed: 0.01, seed }
  const history = { operations: validHistory(model, shape), model, collected: null }
  const { mutations } = forbiddenBy(checker, history)
  const mutants = new Mutants(history, { mutations, random: new Random(seed) })
  const lines = []
  for (let count = 0; count < Number(values.mutants); count += 1) {
    const mutant = mutants.next()
    if (mutant === null) break
    const { operations, mutation } = mutant
    const startedAt = performance.now()
    const result = await checker.check({ operations, model, collected: null, timeoutMs: mostMs })
    const checkMs = performance.now() - startedAt
    const core = await minimise({ checker, model, operations, result, timeoutMs: mostMs })
    lines.push({
      mutation,
      checkMs,
      named: shortestAnomaly(result)?.operations.length ?? null,
      core:
        core === null
          ? null
          : {
              ms: core.ms,
              checks: core.checks,
              minimal: core.minimal,
              isFromAState: core.beginning !== null,
              operations: core.operations.length,
              open: core.open.length,
            },
      reason: core === null ? `${result.valid}, no core` : null,
    })
  }
  return lines
}
