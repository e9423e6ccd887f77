import { judged, type AuditCheck } from '../check.js'
import { count, distinct } from '../recorded.js'

/** As `decide` asks for: the same number of seeds makes a pass a hardened one. */
const seedsLeast = 3

/** Three seeds or more ran to their end and every checker gave the same answer in all of them. */
export const replicated: AuditCheck = {
  name: 'replicated',
  blocks: 'PASS-hardening',
  downgrade: 'PARTIAL-model',
  evaluate({ runs }) {
    const seeds = distinct(runs.map(({ seed }) => seed))
    const problems =
      seeds.length < seedsLeast
        ? [`${count(seeds.length, 'seed')} ran to the end, ${seedsLeast} must agree: one pass is no pass`]
        : []
    const checkers = distinct(runs.flatMap(({ checks }) => checks.map(({ checker }) => checker)))
    for (const name of checkers) {
      const answers = runs.map(
        ({ checks }) => checks.find(({ checker }) => checker === name)?.valid ?? 'none',
      )
      if (distinct(answers).length > 1)
        problems.push(
          `the runs disagree: ${name} answered ${runs.map((run, index) => `${answers[index]} in ${run.name}`).join(', ')}`,
        )
    }
    return judged(problems, [`seeds ${seeds.join(', ')} in ${count(runs.length, 'run')}`])
  },
}
