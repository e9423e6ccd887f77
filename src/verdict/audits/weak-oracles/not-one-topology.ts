import { judged, notApplicable, type AuditCheck } from '../check.js'
import { distinct } from '../recorded.js'

/** A claim about every size was tested on two sizes or more. */
export const notOneTopology: AuditCheck = {
  name: 'not-one-topology',
  blocks: 'PASS-hardening',
  downgrade: 'PARTIAL-model',
  evaluate({ record, runs }) {
    const claims = record.claims.filter(({ anySize }) => anySize).map(({ id }) => id)
    if (claims.length === 0) return notApplicable('no claim is about every size of the system')
    const sizes = distinct(runs.map(({ nodes }) => nodes.length))
    const problems =
      sizes.length < 2
        ? [
            `${claims.join(', ')}: claimed of every size, tested on ${sizes.join(', ')} nodes only: give \`topologies\` another size`,
          ]
        : []
    return judged(problems, distinct(runs.map(({ system, nodes }) => `${system}: ${nodes.length} nodes`)))
  },
}
