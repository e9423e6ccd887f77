import type { Plan } from '../../../plan/plan.js'
import type { ScenarioRecord } from '../../../session/record.js'
import { code, heading, paragraph, type Block } from '../markdown.js'
import { violationBlocks, type ViolationContext } from '../violation.js'
import type { ReportContext } from './context.js'

/** Every violation that was found, each with all that a reader needs to act on it. */
export function findings(scenarios: readonly ScenarioRecord[], context: ReportContext): Block[] {
  const failed = scenarios.filter(({ ruling }) => ruling.verdict.startsWith('FAIL-'))
  if (failed.length === 0) return [paragraph('None: no violation was observed under the faults that landed.')]
  return failed.flatMap((record) => [
    heading(3, [`${record.id} `, code(record.name), `: ${record.ruling.verdict}`]),
    ...violationBlocks(record, violationContext(record, context)),
  ])
}

/** What one scenario's violation is told with. */
export function violationContext(record: ScenarioRecord, context: ReportContext): ViolationContext {
  return {
    sessionPath: context.sessionPath,
    hypotheses: hypothesesOf(context.plan, record),
    counterexample: context.counterexamples.get(record.name) ?? [],
  }
}

/** The hypotheses that the scenario was written for, in the plan's words. */
function hypothesesOf(plan: Plan | null, { id, arm }: ScenarioRecord): string[] {
  const closes = plan?.scenarios.find((scenario) => scenario.id === (arm?.id ?? id))?.closes ?? []
  return closes.flatMap((reference) => {
    const hypothesis = plan?.hypotheses.find((one) => one.id === reference.id)
    return hypothesis === undefined ? [] : [`${hypothesis.id}: ${hypothesis.text}`]
  })
}
