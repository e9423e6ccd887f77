import { tellingEvidence } from '../../src/findings/render/words.js'
import type { FaultWindow } from '../../src/nemesis/evidence.js'
import type { ScenarioRecord } from '../../src/session/record.js'

/**
 * What a verdict rests on, in one line: which faults landed and the reading that shows it, and what the oracles consumed.
 * `partition n1 | n2, n3 landed (dropped packets 0 -> 412, 37 operations met it); linearizable judged 812 operations`
 */
export function evidenceLine(record: ScenarioRecord): string {
  const all = record.runs.filter(({ purpose }) => purpose !== 'experiment')
  const run = all.find(({ checks }) => checks.some(({ valid }) => valid === false)) ?? all[0]
  if (run === undefined) return ''
  const faults = run.faults.map(faultInWords)
  const checks = run.checks.map(({ checker, operations }) => `${checker} judged ${operations} operations`)
  const runs = all.length > 1 ? [`${all.length} runs`] : []
  return [...faults, ...checks, ...runs].join('; ')
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
