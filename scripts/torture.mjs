// Ends runs by SIGKILL at random moments while a fault is on its way in, in place, or on its way out, and looks for what
// they leave behind. Needs `npm run build` before.
//
//   node scripts/torture.mjs [--runs 200] [--seed 11] [--at-once 2] [--fault kill,partition] [--mechanism proxy] [--json]
//
// Each run is a Vitest of its own with the built package; in one of four the guardian is ended as well, and `nemesis heal`
// has to do its work. A line a run, then a table of faults and mechanisms. Exit 1 when anything was left for good.
import { parseArgs } from 'node:util'
import { faults } from '../dist/src/nemesis/faults/index.js'
import { startEngineRelay } from './engine-relay.mjs'
import { faultRows, taxonomy } from './rows.mjs'
import { copyPackage } from './torture/copy.mjs'
import { draws } from './torture/draw.mjs'
import { summary, table } from './torture/table.mjs'
import { trial } from './torture/trial.mjs'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    seed: { type: 'string', default: '11' },
    fault: { type: 'string', default: taxonomy.join(',') },
    mechanism: { type: 'string', default: '' },
    'at-once': { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
})
const wanted = values.fault.split(',')
const rows = (await faultRows())
  .map(({ fault, mechanism }, index) => ({ fault, mechanism, index, family: faults[fault].category }))
  .filter(({ fault, mechanism }) => wanted.includes(fault) && mechanism.includes(values.mechanism))

const copy = copyPackage()
// What is to be cleaned up on an engine must be reached after the run has ended.
const relay = await startEngineRelay()
const queue = draws(rows, Number(values.seed))
const trials = []
const notPossible = new Set()
const counted = () => trials.filter(({ outcome }) => outcome === 'ended').length
let underWay = 0
try {
  await Promise.all(Array.from({ length: Number(values['at-once']) }, endRuns))
} finally {
  relay.close()
  copy.remove()
}
const total = summary(trials)
if (values.json) console.log(JSON.stringify(total))
else console.log(`\n${table(trials)}\n\n${JSON.stringify(total)}`)
process.exitCode = total.left === 0 ? 0 : 1

/** Ends one run after the other until there are enough, counting those that others have under way. */
async function endRuns() {
  while (counted() + underWay < Number(values.runs) && notPossible.size < rows.length) {
    const drawn = queue.next().value
    if (notPossible.has(drawn.row)) continue
    underWay += 1
    try {
      const done = await trial(copy, { ...drawn, engine: relay.host })
      trials.push(done)
      if (done.outcome === 'not possible') notPossible.add(drawn.row)
      tell(done)
    } finally {
      underWay -= 1
    }
  }
}

function tell(done) {
  if (values.json) {
    console.log(JSON.stringify(done))
    return
  }
  const { index, fault, mechanism, outcome, killedIn, end, withGuardian, cleanedBy, cleanMs } = done
  const what = `${index}: ${fault} by ${mechanism}`
  if (outcome !== 'ended') console.log(`${what}: ${outcome}: ${done.reason}`)
  else {
    const whom = withGuardian ? 'guardian and all' : end
    console.log(`${what}: ${whom} ended while ${killedIn}; ${cleanedBy ?? 'NOT CLEANED'} after ${cleanMs} ms`)
  }
  if (done.leftByGuardian !== undefined)
    console.log(`   left by the guardian: ${done.leftByGuardian.join(', ')}`)
  if (done.left.length > 0) console.log(`   LEFT: ${done.left.join(', ')}\n   ${done.heal}`)
}
