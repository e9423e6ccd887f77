import { tellingEvidence } from '../../src/findings/render/words.js'
import type { FaultWindow } from '../../src/nemesis/evidence.js'
import type { ScenarioRecord } from '../../src/session/record.js'

/**
 * What a verdict rests on, in one line: which faults landed and the reading that shows it, what the oracles consumed, and
 * which checks before a pass it was granted without.
 * `partition n1 | n2, n3 landed (dropped packets 0 -> 412, 37 operations met it); linearizable judged 812 operations`
 */
export function evidenceLine(record: ScenarioRecord): string {
  const all = record.runs.filter(({ purpose }) => purpose !== 'experiment')
  const run = all.find(({ checks }) => checks.some(({ valid }) => valid === false)) ?? all[0]
  if (run === undefined) return ''
  const faults = run.faults.map(faultInWords)
  const checks = run.checks.map(({ checker, operations }) => `${checker} judged ${operations} operations`)
  const runs = all.length > 1 ? [`${all.length} runs`] : []
  return [...faults, ...checks, ...runs, ...waived(record)].join('; ')
}

/** A pass that rests on waivers is not to be taken for one that needed none. */
function waived({ ruling, audits }: ScenarioRecord): string[] {
  if (!ruling.verdict.startsWith('PASS-')) return []
  const names = audits.filter(({ result, waiver }) => result === 'unmet' && waiver !== null)
  if (names.length === 0) return []
  return [
    `${names.length} ${names.length === 1 ? 'check' : 'checks'} waived: ${names.map(({ name }) => name).join(', ')}`,
  ]
}

function faultInWords(window: FaultWindow): string {
  const name = `${window.fault} ${window.target}`
  if (!window.landed) return `${name} not proven${window.cause === null ? '' : `: ${window.cause}`}`
  const [reading] = tellingEvidence(window)
  const shown = reading === undefined ? [] : [`${reading.signal} ${reading.before} -> ${reading.after}`]
  const met = window.exposure === null ? [] : [`${window.exposure.exposed} operations met it`]
  const details = [...shown, ...met]
  return `${name} landed${details.length === 0 ? '' : ` (${details.join(', ')})`}`
}
