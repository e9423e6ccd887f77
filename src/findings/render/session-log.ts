import { capabilityNames } from '../../systems/capabilities.js'
import type { ScenarioRecord, SessionRecord } from '../../session/record.js'
import { code, heading, list, paragraph, renderMarkdown, table, type Block } from './markdown.js'

/**
 * What closes `session-log.md` below its timeline: what the repository offers, the machine and what the systems offered to
 * faults, what was missing, and the verdicts with the budget tier that was met.
 */
export function renderClosing(session: SessionRecord): string {
  return renderMarkdown([
    heading(2, 'Toolbox'),
    toolbox(session),
    heading(2, 'Environment'),
    ...environment(session),
    heading(2, 'Preconditions'),
    preconditions(session.scenarios),
    heading(2, 'Verdicts'),
    verdicts(session),
  ])
}

function toolbox({ toolbox: tools }: SessionRecord): Block {
  if (tools === undefined) return paragraph('It was not looked for.')
  if (tools.length === 0) return paragraph('Nothing was found in the repository.')
  return table(
    ['Kind', 'Name', 'Command', 'File'],
    tools.map(({ kind, name, command, file }) => [kind, name, command ?? '-', file]),
  )
}

function environment({ tool, scenarios }: SessionRecord): Block[] {
  const systems = new Map(
    scenarios.flatMap(({ runs }) => runs).map((run) => [`${run.system} (${run.systemKind})`, run.offers]),
  )
  return [
    paragraph(`${tool.platform}, Node ${tool.node}, Vitest ${tool.vitest}, ${tool.name} ${tool.version}.`),
    systems.size === 0
      ? paragraph('No system was started.')
      : table(
          ['System', ...capabilityNames],
          [...systems].map(([system, offers]) => [
            system,
            ...capabilityNames.map((name) => offers[name] ?? 'not offered'),
          ]),
        ),
  ]
}

function preconditions(scenarios: readonly ScenarioRecord[]): Block {
  const missing = scenarios.flatMap(({ id, missing: items }) =>
    items.map(({ what, hint }) => `${id} lacks ${what}: ${hint}`),
  )
  return missing.length === 0 ? paragraph('Everything that the scenarios need was there.') : list(missing)
}

function verdicts({ verdict, scenarios }: SessionRecord): Block {
  if (scenarios.length === 0) return paragraph(`${verdict}: no scenario was recorded.`)
  return list([
    ...scenarios.map(({ id, name, ruling, tierAttempted, tierMet }) => [
      `${id} `,
      code(name),
      `: ${ruling.verdict}, budget met: ${tierMet}, attempted: ${tierAttempted}`,
    ]),
    `session: ${verdict}`,
  ])
}
