import { judged, notApplicable, type AuditCheck } from '../check.js'
import { categoriesOf } from '../recorded.js'

/** Oracle pattern of checkers that judge group by group. */
const fairnessPattern = 14

/** A claim about fairness was judged by group, with two groups or more in every run. */
export const notAggregateFairnessOnly: AuditCheck = {
  name: 'not-aggregate-fairness-only',
  blocks: 'PASS-hardening',
  downgrade: 'PARTIAL-model',
  evaluate({ record, runs }) {
    if (!categoriesOf(record).includes('fairness')) return notApplicable('no claim is about fairness')
    const fair = record.checkers.filter(({ pattern }) => pattern === fairnessPattern).map(({ name }) => name)
    if (fair.length === 0)
      return judged(
        ['no checker judges group by group: an aggregate hides who is starved; use fairness()'],
        [],
      )
    const groups = runs.map(({ name, checks }) => ({
      name,
      groups: Math.max(
        0,
        ...checks
          .filter(({ checker }) => fair.includes(checker))
          .map(({ evidence }) => evidence['groups'] ?? 0),
      ),
    }))
    return judged(
      groups
        .filter((run) => !(run.groups >= 2))
        .map((run) => `${run.name}: there were ${run.groups} groups to compare`),
      groups.map((run) => `${run.name}: ${fair.join(', ')} compared ${run.groups} groups`),
    )
  },
}
