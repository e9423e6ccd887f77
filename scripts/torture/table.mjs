import { phaseNames } from './draw.mjs'

/** What came of all runs that were ended. */
export function summary(trials) {
  const ended = trials.filter(({ outcome }) => outcome === 'ended')
  const times = (by) => timesOf(ended.filter(({ cleanedBy }) => cleanedBy === by))
  return {
    runs: ended.length,
    faults: new Set(ended.map(({ fault }) => fault)).size,
    rows: new Set(ended.map(rowOf)).size,
    families: countBy(ended, ({ family }) => family),
    phases: countBy(ended, ({ killedIn }) => killedIn),
    guardian: times('guardian'),
    heal: times('heal'),
    /** Runs that had nothing to clean up when they were ended with their guardian. */
    nothing: ended.filter(({ cleanedBy }) => cleanedBy === 'nobody').length,
    /** Runs that the guardian had not cleaned in time, or not at all. */
    leftByGuardian: ended.filter(({ leftByGuardian }) => leftByGuardian !== undefined).length,
    left: trials.filter(({ left }) => left.length > 0).length,
    over: trials.filter(({ outcome }) => outcome === 'over').length,
    notPossible: trials
      .filter(({ outcome }) => outcome === 'not possible')
      .map((one) => `${rowOf(one)}: ${one.reason}`),
  }
}

/** A line a fault and mechanism, in Markdown. */
export function table(trials) {
  const ended = trials.filter(({ outcome }) => outcome === 'ended')
  const lines = [...new Set(ended.map(rowOf))].map((row) => {
    const of = ended.filter((one) => rowOf(one) === row)
    const by = (who) => of.filter(({ cleanedBy }) => cleanedBy === who).length
    const { medianMs, maxMs } = timesOf(of)
    return [
      of[0].fault,
      of[0].mechanism,
      of.length,
      ...phaseNames.map((phase) => inPhase(of, phase)),
      by('guardian'),
      by('heal') + by('nobody'),
      of.filter(({ left }) => left.length > 0).length,
      `${medianMs} / ${maxMs}`,
    ]
  })
  const head = ['fault', 'mechanism', 'runs', ...phaseNames, 'guardian', 'heal', 'left', 'median / max ms']
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function timesOf(trials) {
  const times = trials.map(({ cleanMs }) => cleanMs).toSorted((a, b) => a - b)
  return { runs: times.length, medianMs: times[Math.floor(times.length / 2)] ?? 0, maxMs: times.at(-1) ?? 0 }
}

function inPhase(trials, phase) {
  return trials.filter(({ killedIn }) => killedIn === phase).length
}

function countBy(trials, kindOf) {
  const counts = {}
  for (const one of trials) counts[kindOf(one)] = (counts[kindOf(one)] ?? 0) + 1
  return counts
}

function rowOf({ fault, mechanism }) {
  return `${fault} by ${mechanism}`
}
