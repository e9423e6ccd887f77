import { reproducedInWords } from './reproduced.js'
import type { Ruling, Verdict, VerdictFacts } from './verdict.js'

/** Seeds that must have run to the end and agreed before a pass counts as hardened. */
export const seedsForHardening = 3

/**
 * Assigns one of the ten verdicts to what was recorded of a scenario.
 *
 * The rows are asked in order and the first that matches decides, so an earlier row hides a later one: a violation
 * counts whether or not the fault landed, and a fault that did not land spoils whatever the oracle said short of a
 * violation. Pure: no clock, no I/O.
 */
export function decide(facts: VerdictFacts): Ruling {
  for (const row of rows) {
    const ruling = row(facts)
    if (ruling !== null) return withWaivers(ruling, facts)
  }
  return withWaivers(hardened(facts), facts)
}

/** What was waived is told with every verdict that it may have made better. */
function withWaivers(ruling: Ruling, { waived, waivedNeedlessly }: VerdictFacts): Ruling {
  if (ruling.row < 8 || waived.length + waivedNeedlessly.length === 0) return ruling
  const told = waived.map(({ check, because }) => `${check} (${because})`).join('; ')
  return {
    ...ruling,
    reason: [
      ruling.reason,
      ...(waived.length === 0 ? [] : [`${times(waived.length, 'check')} waived: ${told}.`]),
      ...waivedNeedlessly.map((check) => `The waiver of ${check} is needless.`),
    ].join(' '),
  }
}

type Row = (facts: VerdictFacts) => Ruling | null

const rows: readonly Row[] = [
  notRun,
  environmentLacking,
  violated,
  faultNotProven,
  modelCheckerIdle,
  oracleTooWeak,
  subsetOnly,
  passBlocked,
  smokeOnly,
]

function notRun(facts: VerdictFacts): Ruling | null {
  if (facts.attempted) return null
  return rule(
    'NOT-RUN',
    1,
    `It was declared and never started: ${facts.notAttempted ?? 'no reason was recorded'}.`,
  )
}

/** A run that ended early spoils what was not observed in it, never a violation that was. */
function environmentLacking(facts: VerdictFacts): Ruling | null {
  const { missing, ended } = facts
  if (missing.length === 0) return hasViolation(facts) ? null : endedEarly(ended)
  const items = missing.map(({ what, hint }) => `${what} (${hint})`)
  return rule('INCONCLUSIVE-env', 2, `This machine lacks what the scenario needs: ${items.join('; ')}.`)
}

function endedEarly(ended: VerdictFacts['ended']): Ruling | null {
  if (ended.length === 0) return null
  const items = ended.map(({ what, hint }) => (hint === null ? what : `${what} (${hint})`))
  return rule('INCONCLUSIVE-env', 2, `It did not run to its end: ${items.join('; ')}.`)
}

function hasViolation({ violation, checks }: VerdictFacts): boolean {
  return violation !== null || checks.some(({ valid }) => valid === false)
}

function violated({ violation, checks }: VerdictFacts): Ruling | null {
  if (violation === null) {
    // A checker that says "invalid" is a violation even when nobody re-ran it.
    const failed = checks.find((check) => check.valid === false)
    if (failed === undefined) return null
    return rule('FAIL-nondeterministic', 3, `${failed.checker} found a violation. It was not run again.`)
  }
  const verdict = violation.reproduced > 0 ? 'FAIL-reproducible' : 'FAIL-nondeterministic'
  return rule(verdict, 3, `${sentence(violation.summary)} ${reproducedInWords(violation)}`)
}

function faultNotProven({ faults }: VerdictFacts): Ruling | null {
  const unproven = faults.filter((fault) => !fault.landed)
  if (unproven.length === 0) return null
  const causes = unproven.map(({ name, cause }) => `${name} (${cause ?? 'no cause was recorded'})`)
  return rule(
    'INCONCLUSIVE-fault-not-proven',
    4,
    `${unproven.length} of ${times(faults.length, 'planned fault')} not proven to have landed: ${causes.join('; ')}.`,
  )
}

function modelCheckerIdle({ serious, modelChecker }: VerdictFacts): Ruling | null {
  if (!serious) return null
  if (modelChecker === null) {
    return rule(
      'PARTIAL-surface',
      5,
      'No checker judges the history by the declared model; a serious claim needs one, such as linearizable().',
    )
  }
  if (modelChecker.operations > 0) return null
  return rule(
    'PARTIAL-surface',
    5,
    `${modelChecker.name}, the checker of the declared model, consumed no operation.`,
  )
}

/**
 * The fields of the history matter to serious scenarios only. But no scenario passes on an oracle that gave no
 * answer: even one that skips rows 5 to 7 has its own oracle, and that must have spoken.
 */
function oracleTooWeak({ serious, checks, sensitivity, weakHistory }: VerdictFacts): Ruling | null {
  const weaknesses = checks.flatMap(({ checker, misfit, valid, reason, operations }) => {
    if (misfit !== null) return [`${checker} does not fit: ${misfit}`]
    if (valid === 'unknown') return [`${checker} did not finish: ${reason ?? 'no reason was recorded'}`]
    if (!(operations > 0)) return [`${checker} consumed no operation`]
    return []
  })
  if (checks.length === 0) weaknesses.push('no checker ran')
  weaknesses.push(...blindness(sensitivity))
  if (serious) weaknesses.push(...weakHistory.map((lack) => `the history is weak: ${lack}`))
  if (weaknesses.length === 0) return null
  return rule('INCONCLUSIVE-oracle-too-weak', 6, `The oracle is too weak to tell: ${weaknesses.join('; ')}.`)
}

/** How many survivors are told of each checker. */
const toldSurvivors = 2

/** Checkers that noticed too few of the violations made of the histories that they found clean, over all runs. */
function blindness(sensitivity: VerdictFacts['sensitivity']): string[] {
  const checkers = [...new Set(sensitivity.map(({ checker }) => checker))]
  return checkers.flatMap((checker) => {
    const measured = sensitivity.filter((one) => one.checker === checker)
    const mutants = measured.reduce((sum, one) => sum + one.mutants, 0)
    const killed = measured.reduce((sum, one) => sum + one.killed, 0)
    const floor = Math.max(...measured.map((one) => one.floor))
    if (mutants === 0 || killed / mutants >= floor) return []
    const survivors = measured.flatMap((one) => one.survivors).slice(0, toldSurvivors)
    return [
      `${checker} noticed only ${killed} of ${times(mutants, 'violation')} made of the histories that it found ` +
        `clean (${Math.round(floor * 100)}% are asked for), and not that ${survivors.join(', nor that ')}`,
    ]
  })
}

function subsetOnly({ serious, modelChecker, checks }: VerdictFacts): Ruling | null {
  if (!serious || modelChecker === null) return null
  const judgements = checks.filter((check) => check.checker === modelChecker.name)
  if (judgements.length > 0 && judgements.every((check) => check.coverage === 'all')) return null
  return rule(
    'PARTIAL-model',
    7,
    `${modelChecker.name} judged only a part of the operations; no violation was observed in that part.`,
  )
}

/** A check that no pass may be without, such as a load that was produced at all. */
function passBlocked({ unmet }: VerdictFacts): Ruling | null {
  const blocking = unmet.filter(({ blocks }) => blocks === 'PASS')
  if (blocking.length === 0) return null
  const lacks = blocking.map(({ check }) => check).join('; ')
  return rule(worstOf(blocking), 8, `No violation was observed, but it does not count as a pass: ${lacks}.`)
}

function smokeOnly({ tierMet, faults }: VerdictFacts): Ruling | null {
  if (tierMet === 'none') {
    return rule('PARTIAL-surface', 8, 'No violation was observed, but the run stayed below the smoke budget.')
  }
  if (faults.length === 0) {
    return rule('PASS-smoke', 8, 'No violation was observed; no fault was active.')
  }
  if (tierMet !== 'smoke') return null
  return rule(
    'PASS-smoke',
    8,
    `No violation was observed under ${faultNames(faults)}; only the smoke budget was met.`,
  )
}

function hardened({ faults, tierMet, seedsAgreeing, unmet }: VerdictFacts): Ruling {
  const observed = `No violation was observed under ${faultNames(faults)}`
  const lacks = unmet.map(({ check }) => check)
  if (!(seedsAgreeing >= seedsForHardening)) {
    lacks.push(`${times(seedsAgreeing, 'seed')} agreed, ${seedsForHardening} are needed`)
  }
  if (lacks.length === 0) {
    return rule(
      'PASS-hardening',
      9,
      `${observed}; the ${tierMet} budget was met and ${seedsAgreeing} seeds agree.`,
    )
  }
  return rule(worstOf(unmet), 9, `${observed}, but it does not count as hardened: ${lacks.join('; ')}.`)
}

/** A surface that was not covered says more than a model that was covered in part. */
function worstOf(unmet: VerdictFacts['unmet']): Verdict {
  return unmet.some(({ downgrade }) => downgrade === 'PARTIAL-surface') ? 'PARTIAL-surface' : 'PARTIAL-model'
}

function rule(verdict: Verdict, row: number, reason: string): Ruling {
  return { verdict, row, reason }
}

/** So many different faults are named; of more the number. */
const namedFaults = 8

function faultNames(faults: VerdictFacts['faults']): string {
  const names = [...new Set(faults.map((fault) => fault.name))]
  const more = names.length - namedFaults
  return more <= 0 ? names.join(', ') : `${names.slice(0, namedFaults).join(', ')} and ${more} others`
}

function times(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
