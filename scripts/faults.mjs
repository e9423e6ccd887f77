// Exercises every fault of the taxonomy by every mechanism, for real, on this machine. Needs `npm run build` before.
//
//   node scripts/faults.mjs [--json] [--fault kill,partition]
//
// A line a fault and mechanism: exercised with its evidence, or why it is not possible here. Exit 1 when a fault of the
// taxonomy was exercised by no mechanism.
import { parseArgs } from 'node:util'
import { faultRows, taxonomy } from './rows.mjs'

const withinMs = 240_000

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    fault: { type: 'string', default: taxonomy.join(',') },
  },
})
const wanted = new Set(values.fault.split(','))

const exercised = new Set()
let pairs = 0
for (const row of (await faultRows()).filter(({ fault }) => wanted.has(fault))) {
  const { fault, mechanism } = row
  const outcome = await outcomeOf(row)
  if (outcome.evidence !== null) {
    exercised.add(fault)
    pairs += 1
  }
  tell({ fault, mechanism, exercised: outcome.evidence !== null, ...outcome })
}
const missing = [...wanted].filter((fault) => !exercised.has(fault))
process.stderr.write(
  `${exercised.size} of ${wanted.size} faults exercised, ${pairs} pairs of fault and mechanism${missing.length === 0 ? '' : `; not exercised: ${missing.join(', ')}`}\n`,
)
process.exitCode = missing.length === 0 ? 0 : 1

async function outcomeOf(row) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${withinMs / 1_000} s`)), withinMs)
  })
  try {
    return { evidence: await Promise.race([row.run(), late]), reason: null }
  } catch (error) {
    return { evidence: null, reason: (error instanceof Error ? error.message : String(error)).split('\n')[0] }
  } finally {
    clearTimeout(timer)
  }
}

function tell(line) {
  if (values.json) {
    console.log(JSON.stringify(line))
    return
  }
  const state = line.exercised ? 'exercised   ' : 'not possible'
  console.log(
    `${line.fault.padEnd(22)} ${line.mechanism.padEnd(28)} ${state}  ${line.evidence ?? line.reason}`,
  )
}
