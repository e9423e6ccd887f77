// How long each history of a corpus takes once the process is warm, beside what Porcupine took where it took long.
// Needs `npm run build` before.
//
//   node bench/corpus.mjs INDEX.json… [--rounds 20]
//
// Measured as Porcupine was: every round goes through all histories and judges each once unmeasured and then five times,
// of which the median counts; `warm` is the median of the rounds but the first ones, in which the engine still
// compiles, and `least` the shortest time of all. `first` is the very first time. Reading a history is in none.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { linearizable } from '../dist/src/checkers/index.js'
import { readColumns } from '../dist/src/history/read.js'
import { modelNamed } from '../dist/src/models/named.js'

/** Median milliseconds, without parsing, on two cores of 2.1 GHz; the other histories took 0.24 ms at the median. */
const porcupineMs = {
  etcd_002: 338,
  etcd_007: 198,
  etcd_057: 109,
  etcd_099: 86,
  etcd_075: 36,
  etcd_040: 17,
  etcd_080: 14,
  etcd_085: 4.8,
  etcd_097: 4.6,
  etcd_053: 3.4,
  etcd_098: 1.7,
  'c01-ok': 0.21,
  'c01-bad': 0.11,
  'c10-ok': 0.81,
  'c10-bad': 0.47,
  'c50-ok': 229,
  'c50-bad': 38,
}
const slowestShown = 12
const timesEach = 5
const roundsToWarmUp = 5

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '20' } },
  allowPositionals: true,
})
for (const index of positionals) await report(index, Number(values.rounds))

async function report(index, rounds) {
  const judged = []
  for (const history of JSON.parse(readFileSync(index, 'utf8')).histories) {
    if (history.expect?.linearizable === undefined) continue
    const { columns } = await readColumns(join(dirname(index), history.file), { allowEmpty: true })
    judged.push({ history, columns, first: null, least: Infinity, medians: [] })
  }
  for (let round = 0; round < roundsToWarmUp + rounds; round += 1) {
    for (const one of judged) {
      const discarded = await judge(one)
      one.first ??= discarded
      const times = []
      for (let time = 0; time < timesEach; time += 1) times.push(await judge(one))
      if (round < roundsToWarmUp) continue
      one.medians.push(median(times))
      one.least = Math.min(one.least, ...times)
    }
  }
  const told = judged
    .map(({ history: { name }, first, least, medians }) => ({ name, first, least, warm: median(medians) }))
    .toSorted((a, b) => b.warm - a.warm)
  const sum = (field) => told.reduce((total, one) => total + one[field], 0).toFixed(1)
  console.log(`${index}: ${told.length} histories, first ${sum('first')} ms, warm ${sum('warm')} ms in all`)
  for (const [place, { name, first, warm, least }] of told.entries()) {
    const theirs = porcupineMs[name]
    if (place >= slowestShown && theirs === undefined) continue
    const beside =
      theirs === undefined ? '' : `Porcupine ${theirs} ms${warm > theirs ? ' (slower here)' : ''}`
    console.log(`  ${name.padEnd(30)} first ${inMs(first)}, warm ${inMs(warm)}, least ${inMs(least)}`, beside)
  }
}

/** Milliseconds that a history takes. */
async function judge({ history, columns }) {
  const model = modelNamed(history.model ?? history.kind, history.options)
  const { ms } = await linearizable().check({
    ...{ columns, model, operations: [], collected: null, verdictOnly: true, timeoutMs: 60_000 },
  })
  return ms
}

function median(times) {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? NaN
}

function inMs(ms) {
  return `${ms.toFixed(2).padStart(7)} ms`
}
