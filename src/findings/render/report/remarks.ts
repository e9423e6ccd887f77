import type { ScenarioRecord } from '../../../session/record.js'
import { code, fileLink, joined, list, paragraph, type Block } from '../markdown.js'
import { filesOf } from '../tables.js'

/** Scenarios that neither passed nor failed, with the reason of each. */
export function unsettled(scenarios: readonly ScenarioRecord[]): Block {
  const open = scenarios.filter(({ ruling }) => !/^(PASS|FAIL)-/.test(ruling.verdict))
  if (open.length === 0) return paragraph('Every scenario was settled.')
  return list(
    open.map(({ id, name, ruling }) => [`${id} `, code(name), ` (${ruling.verdict}): ${ruling.reason}`]),
  )
}

export function notes(scenarios: readonly ScenarioRecord[]): Block {
  const remarks = scenarios.flatMap(({ id, notes: own, runs }) => [
    ...own.map((note) => `${id}: ${note}`),
    ...runs.flatMap((run) => run.notes.map((note) => `${id} ${run.name}: ${note}`)),
  ])
  return remarks.length === 0 ? paragraph('None.') : list(remarks)
}

export function artifacts(scenarios: readonly ScenarioRecord[]): Block {
  const files = scenarios.flatMap(({ id, runs }) =>
    runs.flatMap((run) => {
      const links = filesOf(run)
      return links.length === 0 ? [] : [[`${id} ${run.name}: `, ...joined(links, ', ')]]
    }),
  )
  return list([
    [fileLink('../session-log.md', 'session-log.md'), ': timeline, environment and verdicts'],
    [fileLink('report.json', 'report.json'), ': this report as data'],
    ...files,
  ])
}
