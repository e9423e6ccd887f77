import type { FaultName } from '../../../nemesis/faults/index.js'
import { judged, notApplicable, type AuditCheck } from '../check.js'
import { landedOf, percent, windowName, type WindowOfRun } from '../recorded.js'

/** Faults that keep a node from serving the operations that meet them. */
const interrupting: readonly FaultName[] = [
  'kill',
  'stop',
  'pause',
  'restart',
  'power-loss',
  'partition',
  'asymmetric-partition',
  'split-brain',
  'rolling-restart',
  'rolling-upgrade',
]

/** Standard deviations by which more must fail than by chance, where some fail without a fault as well. */
const deviations = 3

/**
 * Clients show what goes wrong: of the operations that met faults which interrupt service, some went unanswered, or more
 * failed than do without a fault, such as a CAS that meets another value. When every one of them ended well, the system may
 * have served them all, or the client may have repeated them until they did: the record cannot tell.
 */
export const noHiddenRetries: AuditCheck = {
  name: 'no-hidden-retries',
  blocks: 'PASS-hardening',
  downgrade: 'PARTIAL-model',
  evaluate(audited) {
    const windows = landedOf(audited, interrupting)
    if (windows.length === 0)
      return notApplicable('no fault that interrupts service landed: there was nothing to repeat for')
    const problems = windows.some(isInTrouble)
      ? []
      : [
          'no more operations that met a fault went wrong than do without one: the client may repeat by itself, which hides failures; turn its retries off',
        ]
    return judged(problems, windows.map(inWords))
  },
}

function isInTrouble({ run, window: { exposure } }: WindowOfRun): boolean {
  if (exposure === null) return false
  if (exposure.unknown > 0) return true
  const usual = usualShare(run) * exposure.exposed
  return exposure.failed > usual + deviations * Math.sqrt(usual)
}

/** Of the operations before the first fault, those that did not end ok; 0 where nobody knows. */
function usualShare({ nominal }: WindowOfRun['run']): number {
  return 1 - (nominal?.before?.okShare ?? 1)
}

function inWords(one: WindowOfRun): string {
  const { exposure } = one.window
  if (exposure === null) return `${windowName(one)}: which operations met it is not on record`
  const usual = usualShare(one.run)
  const without = usual > 0 ? ` (${percent(usual)} do not end ok without it)` : ''
  return `${windowName(one)}: ${exposure.failed} failed and ${exposure.unknown} unknown of ${exposure.exposed}${without}`
}
