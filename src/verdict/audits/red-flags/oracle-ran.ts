import { aimedTier } from '../attempted.js'
import { judged, type AuditCheck, type Audited } from '../check.js'
import { count } from '../recorded.js'

/** Every declared checker consumed operations, to an answer, in every run that was meant to be. */
export const oracleRan: AuditCheck = {
  name: 'oracle-ran',
  blocks: 'PASS',
  downgrade: 'PARTIAL-surface',
  evaluate(audited) {
    const { record, runs } = audited
    const problems = [...missingCycles(audited)]
    if (record.checkers.length === 0) problems.push('no checker is declared')
    const evidence = record.checkers.map(({ name }) => {
      const consumed = runs.map((run) => {
        const result = run.checks.find(({ checker }) => checker === name)
        if (result === undefined) problems.push(`${run.name}: ${name} left no result`)
        else if (result.operations === 0) problems.push(`${run.name}: ${name} consumed no operation`)
        else if (result.valid === 'unknown')
          problems.push(`${run.name}: ${name} gave no answer: ${result.reason ?? 'no reason was recorded'}`)
        return result?.operations ?? 0
      })
      return `${name} consumed ${consumed.join(', ')} operations in ${runs.map((run) => run.name).join(', ')}`
    })
    return judged(problems, [
      ...evidence,
      `${count(runs.length, 'run')} judged by ${count(record.checkers.length, 'checker')}`,
    ])
  },
}

/** Runs that the budget asks for and that did not go to their end. A violation ends the row of seeds on purpose. */
function missingCycles({ record, runs }: Audited): string[] {
  if (runs.some(({ checks }) => checks.some(({ valid }) => valid === false))) return []
  const seeds = aimedTier(record)?.budget.seeds ?? 1
  const intended = seeds * (1 + record.topologies.length)
  return runs.length >= intended ? [] : [`${runs.length} of ${intended} intended runs went to their end`]
}
