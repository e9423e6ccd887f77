import type { ScenarioRecord } from './record.js'

/** Ids that several scenarios have, each in a sentence that says what to do: a plan and `nemesis replay` go by the id. */
export function sharedIds(scenarios: readonly Pick<ScenarioRecord, 'id' | 'name'>[]): string[] {
  const ids = [...new Set(scenarios.map(({ id }) => id))]
  return ids.flatMap((shared) => {
    const names = [...new Set(scenarios.filter(({ id }) => id === shared).map(({ name }) => name))]
    if (names.length < 2) return []
    return [
      `${shared} is the id of ${names.length} scenarios (${names.join(', ')}): give each its own, a plan and nemesis replay go by it`,
    ]
  })
}
