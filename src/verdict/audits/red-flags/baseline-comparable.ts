import { judged, notApplicable, type AuditCheck } from '../check.js'

/** Oracle pattern of comparisons with earlier runs. */
const baselinePattern = 5

/** What the runs were compared with was measured by the same harness. */
export const baselineComparable: AuditCheck = {
  name: 'baseline-comparable',
  blocks: 'PASS-hardening',
  downgrade: 'PARTIAL-model',
  evaluate({ record }) {
    const compared = record.checkers.filter(({ pattern }) => pattern === baselinePattern)
    if (compared.length === 0) return notApplicable('no checker compares with a baseline')
    const known = record.harness !== ''
    const own = known ? record.harness : 'unknown'
    const problems = compared.flatMap(({ name, comparedWith }) => {
      if (comparedWith === undefined)
        return [`${name}: which harness measured its baseline is not on record: give it as \`harness\``]
      return known && comparedWith === record.harness
        ? []
        : [`${name}: its baseline was measured by harness ${comparedWith}, these runs by ${own}`]
    })
    return judged(problems, [`harness of these runs: ${own}`])
  },
}
