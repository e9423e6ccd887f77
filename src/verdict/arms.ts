import type { ScenarioRecord } from '../session/record.js'
import type { Verdict } from './verdict.js'

/** What is needed of an arm, or of a scenario that stands alone: as recorded, or as known before there is a record. */
export interface Judged {
  readonly id: string
  readonly name: string
  readonly arm: ScenarioRecord['arm']
  /** Names the arms that there are. */
  readonly boundary: Pick<NonNullable<ScenarioRecord['boundary']>, 'arms'> | null
  readonly ruling: { readonly verdict: Verdict }
}

/** A scenario with arms as a whole. */
export interface Aggregate<Arm extends Judged = Judged> {
  readonly id: string
  readonly name: string
  readonly verdict: Verdict
  /** Which arms decided, in one sentence. */
  readonly reason: string
  readonly arms: readonly Arm[]
}

/**
 * The verdict of a scenario from those of its arms: it is as good as its weakest.
 *
 * 1. An arm that failed fails it, reproducibly when one was reproduced.
 * 2. Nothing was learnt when no arm ran, or those that did settled nothing: NOT-RUN, or the first INCONCLUSIVE verdict.
 * 3. An arm that was not run, not settled or only in part caps it at PARTIAL-surface: a surface is not covered.
 * 4. It passes as its weakest pass.
 *
 * Throws RangeError without arms.
 */
export function aggregateVerdict(arms: readonly Pick<Judged, 'ruling'>[]): Verdict {
  const verdicts = arms.map(({ ruling }) => ruling.verdict)
  const [first] = verdicts
  if (first === undefined) throw new RangeError('a scenario without arms has no aggregate')
  for (const failed of ['FAIL-reproducible', 'FAIL-nondeterministic'] as const) {
    if (verdicts.includes(failed)) return failed
  }
  const inconclusive = verdicts.filter((verdict) => verdict.startsWith('INCONCLUSIVE-'))
  const settled = verdicts.filter((verdict) => verdict !== 'NOT-RUN' && !inconclusive.includes(verdict))
  if (settled.length === 0) return inconclusive[0] ?? 'NOT-RUN'
  if (verdicts.some((verdict) => !verdict.startsWith('PASS-'))) return 'PARTIAL-surface'
  return verdicts.includes('PASS-smoke') ? 'PASS-smoke' : 'PASS-hardening'
}

/**
 * The scenarios with arms among the records, in order of their first arms, each with its verdict as a whole. An arm that
 * the others were declared beside and that left no record was not run.
 */
export function aggregates<Arm extends Judged>(records: readonly Arm[]): Aggregate<Arm>[] {
  const names = [...new Set(records.flatMap(({ arm }) => arm?.of ?? []))]
  return names.map((name) => {
    const arms = records.filter(({ arm }) => arm?.of === name)
    const all = [...arms.map(({ arm, ruling }) => ({ name: arm?.name ?? '', ruling })), ...unrecorded(arms)]
    const verdict = aggregateVerdict(all)
    return { id: arms[0]?.arm?.id ?? '', name, verdict, reason: reasonOf(verdict, all), arms }
  })
}

/** The verdicts that a session counts: of scenarios that stand alone, and of those with arms as a whole. */
export function scenarioVerdicts(records: readonly Judged[]): Verdict[] {
  const alone = records.filter(({ arm }) => arm === null).map(({ ruling }) => ruling.verdict)
  return [...alone, ...aggregates(records).map(({ verdict }) => verdict)]
}

/** An arm as it counts for the whole. */
interface Counted {
  readonly name: string
  readonly ruling: Judged['ruling']
}

function unrecorded(arms: readonly Judged[]): Counted[] {
  const recorded = new Set(arms.map(({ arm }) => arm?.name))
  const declared = new Set(arms.flatMap(({ boundary }) => boundary?.arms ?? []).map(({ name }) => name))
  return [...declared]
    .filter((name) => !recorded.has(name))
    .map((name) => ({ name, ruling: { verdict: 'NOT-RUN' } }))
}

function reasonOf(verdict: Verdict, arms: readonly Counted[]): string {
  const told = arms.map(({ name, ruling }) => `${name} ${ruling.verdict}`).join(', ')
  const passed = arms.filter(({ ruling }) => ruling.verdict.startsWith('PASS-')).length
  if (verdict.startsWith('PASS-')) return `${count(passed)} passed: ${told}.`
  if (verdict.startsWith('FAIL-')) return `An arm failed: ${told}.`
  return `${passed} of ${count(arms.length)} passed: ${told}.`
}

function count(arms: number): string {
  return `${arms} arm${arms === 1 ? '' : 's'}`
}
