// Reads one history into columns and judges it; prints what that took as one JSON line. Used by linearizability.mjs.
import { createReadStream } from 'node:fs'
import { readColumns } from '../dist/src/history/read.js'
import { linearizable } from '../dist/src/checkers/index.js'
import { modelNamed } from '../dist/src/models/named.js'

const [file, model] = process.argv.slice(2)

const [history, parseMs] = await timed(() => readColumns(file))
const [result, checkMs] = await timed(() =>
  linearizable().check({
    columns: history.columns,
    operations: [],
    model: modelNamed(model),
    collected: null,
    timeoutMs: 120_000,
  }),
)
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
// Last, so that neither the garbage nor the time of this comparison counts above.
const [, jsonParseMs] = await timed(() => parseEveryLine(file))
const { valid, evidence } = result
const cpuMs = (userCPUTime + systemCPUTime) / 1_000
console.log(JSON.stringify({ valid, parseMs, jsonParseMs, checkMs, cpuMs, peakMb: maxRSS / 1_024, evidence }))

/** What the work came to, and how much CPU time of all threads it took: a busy machine does not change that much. */
async function timed(work) {
  const before = process.cpuUsage()
  const value = await work()
  const { user, system } = process.cpuUsage(before)
  return [value, (user + system) / 1_000]
}

/** What reading costs at least: the file's text, cut into lines, each given to JSON.parse and forgotten. */
async function parseEveryLine(path) {
  let rest = ''
  let count = 0
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 18 })) {
    const text = rest + chunk
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      if (JSON.parse(text.slice(start, end)) !== undefined) count += 1
      start = end + 1
    }
    rest = text.slice(start)
  }
  return count
}
