import { capabilityNames } from '../../systems/capabilities.js'
import type { ScenarioRecord, SessionRecord } from '../../session/record.js'
import { code, heading, list, paragraph, renderMarkdown, table, type Block } from './markdown.js'

/**
 * What closes `session-log.md` below its timeline: the machine and what the systems offered to faults, what was missing,
 * and the verdicts with the budget tier that was met.
 */
export function renderClosing(session: SessionRecord): string {
  return renderMarkdown([
    heading(2, 'Environment'),
    ...environment(session),
    heading(2, 'Preconditions'),
    preconditions(session.scenarios),
    heading(2, 'Verdicts'),
    verdicts(session),
  ])
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
