// Ends real Vitest runs at random moments and counts what they leave behind.
//   node test/system/kill-nine.mjs [--kind docker|helper|processes|namespaces] [--ending main|worker|all|ctrl-c|sigterm|hangup|none]
//     [--pool forks|threads] [--vitest 4|5] [--count 10] [--seed 1] [--limit MS] [--range MS] [--json] [--verbose]
// The moments are drawn from the length of a first run that nobody ends, or from a range that begins with the work of each
// run. With --limit the scenario's own time limit ends it.
// Exit code 0: nothing was left, by the guardian within five seconds of a machine that has time. 1: something was. Needs
// `npm run build`.
import { parseArgs } from 'node:util'
import { makeProject } from './kill-nine/project.mjs'
import { endingNames, trial } from './kill-nine/trial.mjs'

const { values } = parseArgs({
  options: {
    kind: { type: 'string', default: 'docker' },
    ending: { type: 'string', default: 'main' },
    pool: { type: 'string', default: 'forks' },
    vitest: { type: 'string', default: '4' },
    count: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    limit: { type: 'string' },
    range: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
if (!endingNames.includes(values.ending)) {
  console.error(`--ending is one of ${endingNames.join(', ')}`)
  process.exit(2)
}

const say = (text) => values.json || console.log(text)
const project = makeProject(values.vitest)
try {
  const { kind, pool, ending } = values
  const draw = generator(Number(values.seed))
  const limitMs = values.limit === undefined ? undefined : Number(values.limit)
  const trials = []
  const attempt = async (how) => {
    const done = await trial(project, { kind, pool, limitMs, ...how })
    trials.push(done)
    tell(trials.length, done)
    return done
  }
  // A run that nobody ends must leave nothing either.
  const whole = values.range === undefined ? await attempt({ ending: 'none' }) : null
  const rangeMs = whole?.exit?.afterMs ?? Number(values.range)
  // Another run may take longer to get to work: moments after that count from there.
  const workAfterMs = whole === null ? 0 : (whole.workAfterMs ?? rangeMs)
  say(`seed ${values.seed}: moments of ${Math.round(rangeMs)} ms`)
  for (let index = 1; index <= Number(values.count) && ending !== 'none'; index++) {
    const atMs = draw() * rangeMs
    const early = atMs < workAfterMs
    await attempt({
      ending,
      ...(early ? { from: 'start', afterMs: atMs } : { from: 'work', afterMs: atMs - workAfterMs }),
    })
  }
  const dirty = trials.filter(({ cleanAfterMs }) => cleanAfterMs === null)
  const lost = dirty.filter(({ leftByHeal }) => leftByHeal.length > 0)
  const hung = trials.filter((one) => one.hung)
  const times = trials.flatMap(({ cleanAfterMs }) => cleanAfterMs ?? [])
  const summary = {
    ...{ kind, ending, pool, vitest: values.vitest, seed: Number(values.seed) },
    verdict: whole?.verdict ?? null,
    // What a run that nobody ended printed although it did not pass.
    said: whole === null || whole.verdict?.startsWith('PASS') ? null : whole.output.slice(-4_000),
    met: trials.filter(({ inPlace }) => inPlace.some((one) => one.startsWith('journal'))).length,
    runs: trials.length,
    cleanByGuardian: trials.length - dirty.length,
    cleanByHeal: dirty.length - lost.length,
    notClean: lost.length,
    hung: hung.length,
    maxMs: Math.max(0, ...times),
    medianMs: times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0,
  }
  if (values.json) console.log(JSON.stringify({ ...summary, trials }))
  else console.log(JSON.stringify(summary))
  process.exitCode = dirty.length + hung.length === 0 ? 0 : 1
} finally {
  project.remove()
}

function tell(index, { atMs, inPlace, exit, cleanAfterMs, leftByGuardian, heal, leftByHeal, output, hung }) {
  const after = cleanAfterMs === null ? 'NOT clean in time' : `clean after ${cleanAfterMs} ms`
  const how = hung ? 'DID NOT END' : `exit ${exit.signal ?? exit.code} at ${Math.round(exit.afterMs)} ms`
  say(`${index}: ended at ${atMs} ms with ${counts(inPlace)}; ${how}; ${after}`)
  if (leftByGuardian.length > 0) say(`   left by the guardian: ${leftByGuardian.join(', ')}`)
  if (heal !== null) say(`   nemesis heal: ${heal.replaceAll('\n', '\n     ')}`)
  if (leftByHeal.length > 0) say(`   LEFT BY HEAL: ${leftByHeal.join(', ')}`)
  if (values.verbose) say(output)
}

/** How many of each kind. */
function counts(found) {
  const kinds = new Map()
  for (const one of found) {
    const kind = one.replace(/ .*/, '')
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  return [...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ') || 'nothing'
}

/** Numbers in [0, 1) that follow from the seed: a linear congruential generator, which is random enough for moments. */
function generator(seed) {
  // Small seeds that are close to one another would begin alike.
  let state = Math.imul(seed, 0x9e37_79b1) >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
