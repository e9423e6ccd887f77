import { describe, expect, it } from 'vitest'
import { textOf } from '../repo/sources.js'

/** Where the options that users write are declared, and the page that explains them. */
const explained = [
  ['plugin/vitest/options.ts', 'NemesisOptions', 'docs/vitest.md'],
  ['src/claim/declare.ts', 'ClaimOptions', 'docs/scenarios.md'],
  ['src/scenario/spec.ts', 'SystemSpec', 'docs/scenarios.md'],
  ['src/scenario/declaration/arms/arm-spec.ts', 'ArmSpec', 'docs/scenarios.md'],
  ['src/boundary/control.ts', 'PositiveOptions', 'docs/scenarios.md'],
  ['src/boundary/control.ts', 'NegativeOptions', 'docs/scenarios.md'],
  ['src/nemesis/fault.ts', 'Schedule', 'docs/scenarios.md'],
  ['src/nemesis/schedule/random.ts', 'RandomOptions', 'docs/scenarios.md'],
  ['src/workload/workload.ts', 'WorkloadSpec', 'docs/scenarios.md'],
  ['src/workload/workload.ts', 'OperationSpec', 'docs/scenarios.md'],
  ['src/workload/workload.ts', 'OperationContext', 'docs/scenarios.md'],
  ['src/scenario/pass/drive/body.ts', 'BodyTools', 'docs/scenarios.md'],
  ['src/systems/system.ts', 'LaunchContext', 'docs/systems.md'],
  ['src/systems/process/options.ts', 'ProcessesOptions', 'docs/systems.md'],
  ['src/systems/toxiproxy/options.ts', 'ToxiproxyOptions', 'docs/systems.md'],
  ['src/systems/docker/options.ts', 'DockerOptions', 'docs/systems.md'],
  ['src/systems/docker/adopt-options.ts', 'ReachOptions', 'docs/systems.md'],
  ['src/systems/docker/adopt-options.ts', 'AdoptOptions', 'docs/systems.md'],
  ['src/systems/docker/compose-options.ts', 'ComposeOptions', 'docs/systems.md'],
  ['src/checkers/no-lost-ack/options.ts', 'NoLostAckOptions', 'docs/checkers.md'],
  ['src/checkers/invariant.ts', 'InvariantOptions', 'docs/checkers.md'],
  ['src/checkers/replicas/reconciliation.ts', 'ReconciliationOptions', 'docs/checkers.md'],
  ['src/checkers/replicas/replay-equivalence.ts', 'ReplayEquivalenceOptions', 'docs/checkers.md'],
  ['src/checkers/differential/differential.ts', 'DifferentialOptions', 'docs/checkers.md'],
  ['src/checkers/objectives/slo.ts', 'SloOptions', 'docs/checkers.md'],
  ['src/checkers/objectives/baseline.ts', 'BaselineOptions', 'docs/checkers.md'],
  ['src/checkers/objectives/fairness.ts', 'FairnessOptions', 'docs/checkers.md'],
  ['src/checkers/objectives/availability.ts', 'AvailabilityOptions', 'docs/checkers.md'],
  ['src/scenario/reduce/options.ts', 'ReduceOptions', 'docs/reduction.md'],
  ['src/models/model.ts', 'Semantics', 'docs/histories.md'],
] as const

/** The fields of an interface as it is written down. */
function fieldsOf(file: string, name: string): readonly string[] {
  const [, body] = new RegExp(`^export interface ${name}\\b[^{]*{$([^]*?)^}$`, 'm').exec(textOf(file)) ?? []
  if (body === undefined) throw new Error(`${file} has no interface ${name}`)
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(<]/gm)].map((match) => match[1] ?? '')
}

/** What a page has in blocks and code spans. */
function codeOf(page: string): string {
  const text = textOf(page)
  const blocks = text.match(/^```[^]*?^```$/gm) ?? []
  const spans = text.replaceAll(/^```[^]*?^```$/gm, '').match(/`[^`\n]+`/g) ?? []
  return [...blocks, ...spans].join('\n')
}

describe('options', () => {
  it.each(explained)('of %s, %s, are in %s', (file, name, page) => {
    const fields = fieldsOf(file, name)
    expect(fields.length).toBeGreaterThan(1)
    const code = codeOf(page)
    expect(fields.filter((field) => !new RegExp(`\\b${field}\\b`).test(code))).toEqual([])
  })
})
