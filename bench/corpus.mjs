// How long each history of a corpus takes once the process is warm, beside what Porcupine took where it took long.
// Needs `npm run build` before.
//
//   node bench/corpus.mjs INDEX.json… [--rounds 20]
//
// Every round judges every history once; reading them is not in the time. `first` is the first round, in which the
// engine still compiles; `warm` is the median of the others.
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
    judged.push({ history, columns, times: [] })
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { history, columns, times } of judged) {
      const model = modelNamed(history.model ?? history.kind, history.options)
      const { ms } = await linearizable().check({
        ...{ columns, model, operations: [], collected: null, verdictOnly: true, timeoutMs: 60_000 },
      })
      times.push(ms)
    }
  }
  const told = judged
    .map(({ history: { name }, times: [first, ...others] }) => ({ name, first, warm: median(others) }))
    .toSorted((a, b) => b.warm - a.warm)
  const sum = (field) => told.reduce((total, one) => total + one[field], 0).toFixed(1)
  console.log(`${index}: ${told.length} histories, first ${sum('first')} ms, warm ${sum('warm')} ms in all`)
  for (const [place, { name, first, warm }] of told.entries()) {
    const theirs = porcupineMs[name]
    if (place >= slowestShown && theirs === undefined) continue
    const beside =
      theirs === undefined ? '' : `Porcupine ${theirs} ms${warm > theirs ? ' (slower here)' : ''}`
    console.log(
      `  ${name.padEnd(30)} first ${first.toFixed(2).padStart(8)} ms, warm ${warm.toFixed(2).padStart(7)} ms`,
      beside,
    )
  }
}

function median(times) {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? NaN
}
