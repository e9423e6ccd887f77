import { percentileOf, sortedLatencies } from '../../checkers/objectives/latencies.js'
import { outcomeOf, type Operation } from '../../history/operation.js'
import type { FaultWindow } from '../../nemesis/evidence.js'
import type { Nominal, Service } from '../../session/observation-record.js'

/** Times are nanoseconds of the run's clock. */
export interface NominalInput {
  readonly operations: readonly Operation[]
  readonly windows: readonly Pick<FaultWindow, 'injected_ts' | 'healed_ts'>[]
  /** The part of the run in which operations were performed. */
  readonly startedAt: number
  readonly endedAt: number
  /** When the system was ready again after the last heal; null when nobody has asked or it never was. */
  readonly recoveredAt: number | null
}

/** Shorter parts say nothing. */
const shortestNs = 100e6

/**
 * How the system served before the first fault, without operations that the fault met, and after the last recovery; the
 * latter without a known one after the last heal. Without faults the whole run is the part before.
 */
export function nominalOf(input: NominalInput): Nominal {
  const { operations, windows, startedAt, endedAt } = input
  const firstFault = Math.min(endedAt, ...windows.map(({ injected_ts }) => injected_ts))
  const unaffected = operations.filter(({ fault_epoch }) => fault_epoch === null)
  return {
    before: service(unaffected, startedAt, firstFault),
    after: service(unaffected, lastRecovery(input), endedAt),
  }
}

function lastRecovery({ windows, recoveredAt }: NominalInput): number {
  if (windows.length === 0) return Infinity
  return recoveredAt ?? Math.max(...windows.map(({ healed_ts }) => healed_ts ?? Infinity))
}

/** Of the operations that were invoked in the part. */
function service(operations: readonly Operation[], from: number, to: number): Service | null {
  if (to - from < shortestNs) return null
  const within = operations.filter(({ invoke_ts }) => invoke_ts >= from && invoke_ts < to)
  const ok = within.filter((operation) => outcomeOf(operation) === 'ok')
  return {
    from_ts: from,
    to_ts: to,
    operations: within.length,
    okShare: within.length === 0 ? 0 : ok.length / within.length,
    rate: ok.length / ((to - from) / 1e9),
    p99: ok.length === 0 ? null : percentileOf(sortedLatencies(ok), 99),
  }
}
