import { safeName } from '../../session/names.js'
import type { RunRecord, ScenarioRecord } from '../../session/record.js'
import { aggregates, type Aggregate } from '../../verdict/arms.js'
import { tellingRun } from '../violation.js'
import { code, fileLink, joined, strong, table, type Block, type Content } from './markdown.js'
import { count, evidenceInWords, reading, tellingEvidence } from './words.js'

/**
 * The scenario results: one row each, with what shows that the oracle worked and that the fault was there, and one for all
 * arms of a scenario together.
 */
export function resultsTable(scenarios: readonly ScenarioRecord[]): Block {
  return table(
    [
      'ID',
      'Scenario',
      'Verdict',
      'Oracle',
      'Oracle execution evidence',
      'Nemesis landing evidence',
      'Artifacts',
    ],
    [...scenarios.map(row), ...aggregates(scenarios).map(aggregateRow)],
  )
}

function row(record: ScenarioRecord): Content[] {
  return [
    record.id,
    code(record.name),
    strong(record.ruling.verdict),
    record.checkers
      .map(({ name }) => (record.model === null ? name : `${name} (${record.model})`))
      .join(', '),
    oracleEvidence(record),
    landingEvidence(record),
    artifacts(record),
  ]
}

/** A scenario with arms as a whole: what it rests on is in the rows of its arms. */
function aggregateRow({ id, name, verdict, reason, arms }: Aggregate<ScenarioRecord>): Content[] {
  return [id, code(name), strong(verdict), `all ${count(arms.length, 'arm')}`, reason, '-', '-']
}

/** What each checker did over all runs with a seed of their own: `linearizable: 940 operations in 1 run, keys 4`. */
function oracleEvidence(record: ScenarioRecord): string {
  const runs = record.runs.filter(({ purpose }) => purpose === 'seed')
  const parts = record.checkers.flatMap(({ name }) => {
    const checks = runs.flatMap((run) => run.checks.filter(({ checker }) => checker === name))
    if (checks.length === 0) return []
    const operations = checks.reduce((sum, check) => sum + check.operations, 0)
    const counts = [...new Set(checks.flatMap((check) => Object.keys(check.evidence)))].map(
      (key) => `${key} ${range(checks.flatMap((check) => check.evidence[key] ?? []))}`,
    )
    const worked = `${count(operations, 'operation')} in ${count(checks.length, 'run')}`
    return [`${name}: ${[worked, ...counts].join(', ')}`]
  })
  return parts.join('; ') || 'the oracle did not run'
}

function range(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return least === most ? reading(least) : `${reading(least)}-${reading(most)}`
}

/** The faults of the run that tells most, with a reading of either side, and how the other runs compare. */
function landingEvidence(record: ScenarioRecord): string {
  const run = tellingRun(record)
  if (run === undefined || run.faults.length === 0) {
    return record.nemesis.length === 0
      ? 'no fault declared'
      : `nothing injected of: ${record.nemesis.join('; ')}`
  }
  const others = record.runs.filter((other) => other !== run && other.faults.length > 0)
  const landed = others.flatMap((other) => other.faults).filter((fault) => fault.landed).length
  const planned = others.flatMap((other) => other.faults).length
  return [
    ...(run.faults.length > toldFaults ? [manyLandings(run.faults)] : run.faults.map(landing)),
    ...(others.length === 0
      ? []
      : [`in ${count(others.length, 'other run')} ${landed} of ${planned} landed`]),
  ].join('; ')
}

/** So many faults of a run have their evidence in the table; of more only the numbers, and those that were not proven. */
const toldFaults = 8

function manyLandings(faults: RunRecord['faults']): string {
  const kinds = [...new Set(faults.map(({ fault }) => fault))].toSorted()
  const numbers = kinds.map((kind) => `${kind} ${faults.filter(({ fault }) => fault === kind).length}`)
  const unproven = faults.filter(({ landed }) => !landed)
  const landed = `${faults.length - unproven.length} of ${count(faults.length, 'fault')} landed (${numbers.join(', ')})`
  return [landed, ...unproven.map(landing)].join('; ')
}

function landing(window: RunRecord['faults'][number]): string {
  const what = `${window.id} ${window.fault} ${window.target}`
  const shown = tellingEvidence(window).map(evidenceInWords)
  const exposed = window.exposure === null ? [] : [`${count(window.exposure.exposed, 'operation')} exposed`]
  const state = window.landed ? 'landed' : `not proven (${window.cause ?? 'no cause was recorded'})`
  return `${what} ${state}: ${[...shown, ...exposed].join(', ') || 'no evidence'}`
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
