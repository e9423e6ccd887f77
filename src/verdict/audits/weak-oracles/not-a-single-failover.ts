import type { FaultName } from '../../../nemesis/faults/index.js'
import { judged, notApplicable, type AuditCheck } from '../check.js'
import { count, landedOf, windowName, type WindowOfRun } from '../recorded.js'

/** Faults that take a node out of service. */
const takeDowns: readonly FaultName[] = [
  'kill',
  'stop',
  'pause',
  'restart',
  'power-loss',
  'rolling-restart',
  'rolling-upgrade',
]
/** Faults after which another node may lead when they are aimed at the leader. */
const dethroning: readonly FaultName[] = [...takeDowns, 'partition', 'asymmetric-partition', 'split-brain']
/** Roles that name who leads. */
const leading = /\b(?:leader|primary|master|coordinator)\b/i
const failoversLeast = 2

/**
 * The leader went down twice or more, over all runs. Where no fault was aimed at it, nodes that were taken down count:
 * which of them led is not on record.
 */
export const notASingleFailover: AuditCheck = {
  name: 'not-a-single-failover',
  blocks: 'PASS-hardening',
  downgrade: 'PARTIAL-model',
  evaluate(audited) {
    const aimed = landedOf(audited, dethroning).filter(isAimedAtLeader)
    const counted = aimed.length > 0 ? aimed : landedOf(audited, takeDowns)
    if (counted.length === 0)
      return notApplicable('no fault took a node down or was aimed at a leader: nothing rests on a failover')
    const what = aimed.length > 0 ? 'fault aimed at the leader' : 'take-down of a node'
    const problems =
      counted.length < failoversLeast ? [`a single failover: ${count(counted.length, what)} landed`] : []
    return judged(problems, [`${what}: ${counted.length}`, ...counted.map(windowName)])
  },
}

/** As it was declared: a role says who it is about, which the resolved target does not. */
function isAimedAtLeader({ run, window }: WindowOfRun): boolean {
  if (window.fault === 'split-brain') return true
  const declared = run.schedule.flatMap(({ faults }) => faults).find(({ id }) => id === window.id)
  return declared !== undefined && leading.test(declared.fault)
}
