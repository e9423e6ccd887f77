import type { ScenarioRecord, SessionRecord } from '../../../session/record.js'
import { verdicts } from '../../../verdict/verdict.js'
import { shortestAnomaly, violationOf } from '../../violation.js'
import { headline } from '../headline.js'
import { labelled, list, paragraph, strong, type Block } from '../markdown.js'
import { wholeScenarios, type WholeScenario } from '../whole-scenarios.js'
import { count } from '../words.js'

/** The first screen: the session's verdict, then what ran, what was found and what was not tested. */
export function summary(session: SessionRecord): Block[] {
  const { scenarios, verdict } = session
  const whole = wholeScenarios(scenarios)
  return [
    paragraph([strong(verdict), `. ${headline(session)}`]),
    list([
      labelled('Ran', ran(whole)),
      labelled('Found', found(scenarios)),
      labelled('Not tested', notTested(scenarios)),
      ...(scenarios.length === 0 ? [] : [labelled('Verdicts', counts(whole))]),
    ]),
  ]
}

function ran(scenarios: readonly WholeScenario[]): string {
  const attempted = scenarios.filter(({ runs }) => runs.length > 0)
  const runs = attempted.flatMap((record) => record.runs)
  const windows = runs.flatMap(({ faults }) => faults)
  const landed = windows.filter((window) => window.landed).length
  const operations = runs.reduce((sum, { load }) => sum + (load?.invoked ?? 0), 0)
  return (
    `${attempted.length} of ${count(scenarios.length, 'scenario')} in ${count(runs.length, 'run')}, ` +
    `${count(operations, 'operation')} of workloads, ${landed} of ${count(windows.length, 'injected fault')} landed.`
  )
}

function found(scenarios: readonly ScenarioRecord[]): string {
  const failed = scenarios.filter(({ ruling }) => ruling.verdict.startsWith('FAIL-'))
  if (failed.length === 0) return 'no violation was observed.'
  return `${failed.map(inShort).join('; ')}.`
}

function inShort(record: ScenarioRecord): string {
  const { id, classification, regression } = record
  const check = violationOf(record)?.check
  const what = check === undefined ? [] : [shortestAnomaly(check)?.type ?? `violation by ${check.checker}`]
  const told = classification === null ? [] : [classification.severity, `blame ${classification.blame}`]
  const expected = regression === null ? [] : [`expected of ${regression.of}`]
  const facts = [...what, ...told, ...expected]
  return facts.length === 0 ? id : `${id} (${facts.join(', ')})`
}

function notTested(scenarios: readonly ScenarioRecord[]): string {
  const open = scenarios.filter(({ ruling }) => !/^(PASS|FAIL)-/.test(ruling.verdict))
  if (open.length === 0)
    return 'every scenario was settled; see Surfaces, Coverage and Confidence for what none is about.'
  return `${open.map(({ id, ruling }) => `${id} (${ruling.verdict})`).join(', ')}; see What was not settled, and why.`
}

function counts(scenarios: readonly WholeScenario[]): string {
  const told = verdicts.flatMap((verdict) => {
    const ids = scenarios.filter(({ ruling }) => ruling.verdict === verdict).map(({ id }) => id)
    return ids.length === 0 ? [] : [`${ids.length} ${verdict} (${ids.join(', ')})`]
  })
  return `${told.join('; ')}.`
}
