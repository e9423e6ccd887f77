// How long `linearizable` takes for histories of generate-history.mjs, and how much memory, beside what Porcupine took.
// Every history is read and judged by a process of its own. Needs `npm run build` before.
//
//   node bench/linearizability.mjs [--kinds register,queue] [--operations 1000,1000000] [--clients 5,50] [--json]
//
// `parse` is reading the file into columns, beside `JSON.parse` of every line and nothing else in the same process;
// `check` is everything from there to the verdict; `process` is all that the process did up to then; `memory` is the most
// that it took. Times are user and system time of all threads, so that other work on the machine matters little.
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { porcupineFigure } from './porcupine-figures.mjs'

const { values } = parseArgs({
  options: {
    kinds: {
      type: 'string',
      default:
        'register,register-unknown,register-stale,register-sparse,register-unknown-sparse,register-stale-sparse,queue,queue-sparse',
    },
    operations: { type: 'string', default: '1000,10000,100000,1000000' },
    clients: { type: 'string', default: '5,10,20,50' },
    json: { type: 'boolean', default: false },
  },
})
const list = (text) => text.split(',')
const here = (name) => fileURLToPath(new URL(name, import.meta.url))

const directory = mkdtempSync(join(tmpdir(), 'nemesis-bench-'))
try {
  if (!values.json) {
    const load = loadavg()[0]?.toFixed(1)
    console.log(`Node ${process.version}, ${availableParallelism()} x ${cpus()[0]?.model}, load ${load}\n`)
    console.log(
      'history'.padEnd(58),
      'verdict parse   (of JSON.parse) check    process  memory  Porcupine (wall)',
    )
  }
  for (const kind of list(values.kinds)) {
    for (const clients of list(values.clients).map(Number)) {
      for (const operations of list(values.operations).map(Number)) report({ kind, clients, operations })
    }
  }
} finally {
  rmSync(directory, { recursive: true })
}

function report(wanted) {
  const { kind, clients, operations } = wanted
  const file = join(directory, 'history.ndjson')
  const out = openSync(file, 'w')
  spawnSync(process.execPath, [here('generate-history.mjs'), kind, String(operations), String(clients)], {
    stdio: ['ignore', out, 'inherit'],
  })
  closeSync(out)
  const model = kind.startsWith('queue') ? 'queue' : 'register'
  const measured = JSON.parse(
    execFileSync(process.execPath, [here('measure-check.mjs'), file, model], { encoding: 'utf8' }),
  )
  const porcupine = porcupineFigure(wanted)
  if (values.json) {
    console.log(JSON.stringify({ kind, clients, operations, ...measured, porcupine }))
    return
  }
  const { valid, parseMs, jsonParseMs, checkMs, cpuMs, peakMb } = measured
  const seconds = (ms) => `${(ms / 1_000).toFixed(3)} s`.padStart(8)
  console.log(
    `${kind}, ${operations} operations, ${clients} clients`.padEnd(58),
    String(valid).padEnd(7),
    seconds(parseMs),
    `(${(parseMs / jsonParseMs).toFixed(2)}x)`.padEnd(9),
    seconds(checkMs),
    seconds(cpuMs),
    `${Math.round(peakMb)} MB`.padStart(8),
    ` ${porcupine}`,
  )
}
