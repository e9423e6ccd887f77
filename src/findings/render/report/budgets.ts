import type { ScenarioRecord } from '../../../session/record.js'
import { list, paragraph, type Block } from '../markdown.js'

/** Which release tier each scenario declares, or why it has none. */
export function releaseBudgets(scenarios: readonly ScenarioRecord[]): Block {
  const lines = scenarios.flatMap(disclosure)
  return lines.length === 0
    ? paragraph('No scenario declares a budget for a release tier, nor why it has none.')
    : list(lines)
}

function disclosure({ id, budget, tierMet }: ScenarioRecord): string[] {
  const release = budget?.release
  if (release === undefined) return []
  if ('notProvided' in release) {
    return [`${id}: not provided, because ${release.notProvided}; revisit when ${release.revisitWhen}`]
  }
  const { duration, nodes, faults, seeds } = release
  const length = typeof duration === 'number' ? `${duration} ms` : duration
  const met = tierMet === 'release' ? 'met' : `not met (${tierMet} was)`
  return [`${id}: declared as ${length}, ${nodes} nodes, ${faults} faults, ${seeds} seeds; ${met}`]
}
