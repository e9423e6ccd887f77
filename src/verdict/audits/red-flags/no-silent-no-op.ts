import type { FaultWindow } from '../../../nemesis/evidence.js'
import { judged, notApplicable, type AuditCheck } from '../check.js'
import { windowName, windowsOf } from '../recorded.js'

/**
 * No fault went past what it was meant for: each landed, stayed until it was healed, and operations met it on an affected
 * path. What went round it, or was taken back by somebody else, is in the cause of its window.
 */
export const noSilentNoOp: AuditCheck = {
  name: 'no-silent-no-op',
  blocks: 'PASS',
  downgrade: 'PARTIAL-surface',
  evaluate(audited) {
    const windows = windowsOf(audited)
    if (windows.length === 0) return notApplicable('no fault was put in place')
    const problems = windows.flatMap((one) => {
      const problem = problemOf(one.window)
      return problem === null ? [] : [`${windowName(one)}: ${problem}`]
    })
    return judged(
      problems,
      windows.map((one) => `${windowName(one)}: ${exposureOf(one.window)}`),
    )
  },
}

function problemOf({
  landed,
  cause,
  exposure,
  injected_ts: from,
  healed_ts: to,
}: FaultWindow): string | null {
  if (!landed || cause !== null) return cause ?? 'it did not land, and no cause was recorded'
  if (exposure === null) return 'how many operations met it was not recorded'
  if (!(exposure.exposed > 0))
    return `no operation met it on an affected path, of ${exposure.overlapping} in flight meanwhile`
  if (to === null) return 'it was never seen to be gone, so the recovery was not one from it'
  return to >= from ? null : `it is recorded as gone ${Math.round((from - to) / 1e6)} ms before it came`
}

function exposureOf({ exposure, injected_ts: from, healed_ts: to }: FaultWindow): string {
  const lasted = to === null ? 'never healed' : `${Math.round((to - from) / 1e6)} ms`
  if (exposure === null) return lasted
  const { exposed, overlapping, ok, failed, unknown } = exposure
  return `${lasted}, met by ${exposed} of ${overlapping} operations: ${ok} ok, ${failed} failed, ${unknown} unknown`
}
