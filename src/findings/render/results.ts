import { safeName } from '../../session/names.js'
import type { RunRecord, ScenarioRecord } from '../../session/record.js'
import { aggregates, type Aggregate } from '../../verdict/arms.js'
import { tellingRun } from '../violation.js'
import {
  code,
  fileLink,
  heading,
  joined,
  labelled,
  linkTo,
  list,
  paragraph,
  strong,
  table,
  type Block,
  type Content,
} from './markdown.js'
import { changeInWords, count, counters, reading, tellingEvidence } from './words.js'

/**
 * The scenario results: a narrow table with a row each and one for all arms of a scenario together, then for every
 * scenario that ran what shows that its oracle worked and that its faults were there.
 */
export function results(scenarios: readonly ScenarioRecord[]): Block[] {
  if (scenarios.length === 0) return [paragraph('No scenario was recorded.')]
  const ran = scenarios.filter(({ runs }) => runs.length > 0)
  return [
    table(
      ['ID', 'Verdict', 'Faults landed', 'Operations judged', 'Scenario'],
      [...scenarios.map(row), ...aggregates(scenarios).map(aggregateRow)],
    ),
    ...ran.flatMap(details),
  ]
}

function row(record: ScenarioRecord): Content[] {
  const { id, name, ruling, nemesis } = record
  const windows = seedRuns(record).flatMap(({ faults }) => faults)
  const landed = windows.filter((window) => window.landed).length
  const none = nemesis.length === 0 ? 'none declared' : 'none injected'
  return [
    id,
    strong(ruling.verdict),
    windows.length === 0 ? none : `${landed} of ${reading(windows.length)}`,
    reading(mostJudged(record)),
    // One that was left out has no finding of its own.
    ruling.verdict === 'NOT-RUN' ? code(name) : linkTo(`${safeName(name)}.md`, code(name)),
  ]
}

/** A scenario with arms as a whole: what it rests on is in the rows of its arms. */
function aggregateRow({ id, name, verdict, arms }: Aggregate<ScenarioRecord>): Content[] {
  const told = arms.map(({ arm, ruling }) => `${arm?.name} ${ruling.verdict}`).join(', ')
  return [id, strong(verdict), '-', '-', [code(name), ` as a whole: ${told}`]]
}

/** Of the checker that consumed most: checkers judge the same operations, so that a sum would count them twice. */
function mostJudged(record: ScenarioRecord): number {
  return Math.max(0, ...checksByName(record).map(({ checks }) => judged(checks)))
}

function details(record: ScenarioRecord): Block[] {
  const { id, ruling, claims } = record
  return [
    heading(3, `${id}: ${ruling.verdict}`),
    list([
      labelled('Claims', claims.map((claim) => claim.id).join(', ') || 'none'),
      labelled('Oracle', oracleNames(record)),
      labelled('Oracle execution evidence', oracleEvidence(record)),
      labelled('Nemesis landing evidence', landingInShort(record)),
      labelled('Artifacts', artifacts(record)),
    ]),
    ...landings(record),
  ]
}

/** The checks of each checker over all runs with a seed of their own, also of those that judged without being declared. */
function checksByName(record: ScenarioRecord) {
  const checks = seedRuns(record).flatMap((run) => run.checks)
  const names = new Set([...record.checkers.map(({ name }) => name), ...checks.map(({ checker }) => checker)])
  return [...names].map((name) => ({ name, checks: checks.filter(({ checker }) => checker === name) }))
}

function judged(checks: RunRecord['checks']): number {
  return checks.reduce((sum, check) => sum + check.operations, 0)
}

function oracleNames(record: ScenarioRecord): string {
  return checksByName(record)
    .map(({ name, checks }) => [name, checks[0] === undefined ? record.model : checks[0].model])
    .map(([name, model]) => (model === null ? name : `${name} (${model})`))
    .join(', ')
}

function seedRuns({ runs }: Pick<ScenarioRecord, 'runs'>): RunRecord[] {
  return runs.filter(({ purpose }) => purpose === 'seed')
}

/** What each checker did: `linearizable: 940 operations in 1 run, keys 4`. */
function oracleEvidence(record: ScenarioRecord): string {
  const parts = checksByName(record).flatMap(({ name, checks }) => {
    if (checks.length === 0) return []
    const worked = `${count(judged(checks), 'operation')} in ${count(checks.length, 'run')}`
    return [`${name}: ${[worked, ...counters(checks)].join(', ')}`]
  })
  return parts.join('; ') || 'the oracle did not run'
}

/** How many faults landed, in the run that tells most and in the others. */
function landingInShort(record: ScenarioRecord): string {
  const run = tellingRun(record)
  if (run === undefined || run.faults.length === 0) {
    return record.nemesis.length === 0
      ? 'no fault declared'
      : `nothing injected of: ${record.nemesis.join('; ')}`
  }
  const others = record.runs.filter((other) => other !== run && other.faults.length > 0)
  const [of, landed] = landedOf(others.flatMap((other) => other.faults))
  return [
    `in ${run.name} ${inNumbers(run.faults)}`,
    ...(others.length === 0 ? [] : [`in ${count(others.length, 'other run')} ${landed} of ${of}`]),
  ].join('; ')
}

function landedOf(faults: RunRecord['faults']): [of: number, landed: number] {
  return [faults.length, faults.filter(({ landed }) => landed).length]
}

/** `2 of 3 landed (kill 2, pause 1)` */
function inNumbers(faults: RunRecord['faults']): string {
  const kinds = [...new Set(faults.map(({ fault }) => fault))].toSorted()
  const numbers = kinds.map((kind) => `${kind} ${faults.filter(({ fault }) => fault === kind).length}`)
  const [of, landed] = landedOf(faults)
  return `${landed} of ${count(of, 'fault')} landed (${numbers.join(', ')})`
}

/** So many faults of a run have their evidence in the report; of more only those that were not proven. */
const toldFaults = 8

/** The faults of the run that tells most, with a reading of either side before and after. */
function landings(record: ScenarioRecord): Block[] {
  const faults = tellingRun(record)?.faults ?? []
  const told = faults.length > toldFaults ? faults.filter(({ landed }) => !landed) : faults
  if (told.length === 0) return []
  return [table(['Fault', 'Landed', 'Injector', 'Victim', 'Operations that met it'], told.map(landing))]
}

function landing(window: RunRecord['faults'][number]): Content[] {
  const [injector, victim] = (['injector', 'victim'] as const).map((side) =>
    tellingEvidence(window).find((evidence) => evidence.side === side),
  )
  return [
    `${window.id} ${window.fault} ${window.target}`,
    window.landed ? 'yes' : `not proven: ${window.cause ?? 'no cause was recorded'}`,
    injector === undefined ? '-' : changeInWords(injector),
    victim === undefined ? '-' : changeInWords(victim),
    window.exposure === null ? '-' : reading(window.exposure.exposed),
  ]
}

function artifacts(record: ScenarioRecord): Content {
  const file = safeName(record.name)
  const history = tellingRun(record)?.history ?? null
  return joined(
    [
      fileLink(`${file}.md`, 'finding'),
      fileLink(`../artifacts/${file}/record.json`, 'record'),
      ...(history === null ? [] : [fileLink(`../${history}`, 'history')]),
    ],
    ', ',
  )
}
