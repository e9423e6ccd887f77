import type { ScenarioRecord } from '../../session/record.js'

type Declared = Pick<ScenarioRecord, 'harness' | 'nemesis' | 'system' | 'topologies'>

/** What a digest that is not the same stands for. */
export const otherHarness = 'what drives and judges it, or the version of vitest-nemesis'

/**
 * What of a scenario is not as it was recorded, in words; empty when the same is run again. What functions close over,
 * and the system behind its name, cannot be compared.
 */
export function changedSince(before: Declared, now: Declared): string[] {
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  return [
    ...(before.harness === now.harness ? [] : [otherHarness]),
    ...(same(before.nemesis, now.nemesis) ? [] : ['its faults']),
    ...(same([before.system, before.topologies], [now.system, now.topologies]) ? [] : ['its systems']),
  ]
}
