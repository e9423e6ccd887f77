// What each checker takes for 10,000, 100,000 and 1,000,000 operations: seconds of CPU time of all threads, and the most
// memory of the process, the history included (`history` is what that alone takes). Each figure is from a process of its
// own. Needs `npm run build` before.
//
//   node bench/checkers.mjs [--checkers counter,set] [--operations 10000,1000000] [--json]
import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { subjects } from './checker-subjects.mjs'

const { values } = parseArgs({
  options: {
    checkers: { type: 'string', default: subjects.map(({ name }) => name).join(',') },
    operations: { type: 'string', default: '10000,100000,1000000' },
    json: { type: 'boolean', default: false },
  },
})
const script = fileURLToPath(new URL('measure-checker.mjs', import.meta.url))
const sizes = values.operations.split(',').map(Number)

if (!values.json) {
  const load = loadavg()[0]?.toFixed(1)
  console.log(`Node ${process.version}, ${availableParallelism()} x ${cpus()[0]?.model}, load ${load}\n`)
  const columns = sizes.map((size) => `${size.toLocaleString('en')} operations`.padStart(22))
  console.log('checker'.padEnd(22), 'verdict'.padEnd(8), ...columns, '  memory  history')
}
for (const name of values.checkers.split(',')) {
  const measured = sizes.map((size) => measure(name, size))
  if (values.json) {
    for (const [index, one] of measured.entries()) {
      console.log(JSON.stringify({ checker: name, operations: sizes[index], ...one }))
    }
    continue
  }
  const last = measured.at(-1)
  const seconds = measured.map(({ cpuMs }) => `${(cpuMs / 1_000).toFixed(3)} s`.padStart(22))
  const memory = [last.peakMb, last.heldMb].map((mb) => `${Math.round(mb)} MB`.padStart(8))
  console.log(name.padEnd(22), String(last.valid).padEnd(8), ...seconds, ...memory, last.reason ?? '')
}

function measure(name, size) {
  const arguments_ = ['--expose-gc', '--max-old-space-size=4096', script, name, String(size)]
  return JSON.parse(execFileSync(process.execPath, arguments_, { encoding: 'utf8' }))
}
