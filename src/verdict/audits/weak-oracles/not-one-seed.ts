import { judged, type AuditCheck } from '../check.js'
import { distinct } from '../recorded.js'

/** More than one seed ran to its end: faults and operations came at other times as well. */
export const notOneSeed: AuditCheck = {
  name: 'not-one-seed',
  blocks: 'PASS-hardening',
  downgrade: 'PARTIAL-model',
  evaluate({ runs }) {
    const seeds = distinct(runs.map(({ seed }) => seed))
    const problems = seeds.length < 2 ? ['one seed only: the budget asks for more by `seeds`'] : []
    return judged(problems, [`seeds ${seeds.join(', ')}`])
  },
}
