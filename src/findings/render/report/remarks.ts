import type { ScenarioRecord } from '../../../session/record.js'
import { sharedIds } from '../../../session/shared-ids.js'
import { code, fileLink, list, paragraph, type Block } from '../markdown.js'

/** Scenarios that neither passed nor failed, with the reason of each. */
export function unsettled(scenarios: readonly ScenarioRecord[]): Block {
  const open = scenarios.filter(({ ruling }) => !/^(PASS|FAIL)-/.test(ruling.verdict))
  if (open.length === 0) return paragraph('Every scenario was settled.')
  return list(
    open.map(({ id, name, ruling }) => [`${id} `, code(name), ` (${ruling.verdict}): ${ruling.reason}`]),
  )
}

export function notes(scenarios: readonly ScenarioRecord[]): Block {
  const remarks = [
    ...sharedIds(scenarios),
    ...scenarios.flatMap(({ id, notes: own, runs }) => [
      ...own.map((note) => `${id}: ${note}`),
      ...runs.flatMap((run) => run.notes.map((note) => `${id} ${run.name}: ${note}`)),
    ]),
  ]
  return remarks.length === 0 ? paragraph('None.') : list(remarks)
}

/** Where the rest of the session is, relative to `findings/`. */
export const artifacts: Block = list([
  [fileLink('../session-log.md', 'session-log.md'), ': timeline, environment and verdicts'],
  [fileLink('report.json', 'report.json'), ': this report as data'],
  [fileLink('../artifacts', 'artifacts'), ': records and histories, a directory for each scenario and run'],
  [fileLink('../logs', 'logs'), ' and ', fileLink('../metrics', 'metrics'), ' of every run, likewise'],
])
