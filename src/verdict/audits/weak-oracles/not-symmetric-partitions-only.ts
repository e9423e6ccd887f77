import type { FaultName } from '../../../nemesis/faults/index.js'
import { judged, notApplicable, type AuditCheck } from '../check.js'
import { landedOf, windowName } from '../recorded.js'

const otherNetworkFaults: readonly FaultName[] = [
  'asymmetric-partition',
  'latency',
  'packet-loss',
  'bandwidth',
]

/** Where the network was cut, it misbehaved in another way as well: in one direction, by loss, or by delay. */
export const notSymmetricPartitionsOnly: AuditCheck = {
  name: 'not-symmetric-partitions-only',
  blocks: 'PASS-hardening',
  downgrade: 'PARTIAL-model',
  evaluate(audited) {
    const symmetric = landedOf(audited, ['partition'])
    if (symmetric.length === 0) return notApplicable('no partition landed')
    const others = landedOf(audited, otherNetworkFaults)
    return others.length > 0
      ? judged([], others.map(windowName))
      : judged(
          [
            'symmetric partitions were the only network faults: add asymmetric-partition, packet-loss, latency or bandwidth',
          ],
          symmetric.map(windowName),
        )
  },
}
