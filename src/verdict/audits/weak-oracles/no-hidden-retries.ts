import type { FaultName } from '../../../nemesis/faults/index.js'
import { judged, notApplicable, type AuditCheck } from '../check.js'
import { landedOf, windowName, type WindowOfRun } from '../recorded.js'

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

/**
 * Clients show what goes wrong: of the operations that met faults which interrupt service, some failed or went
 * unanswered. When every one of them ended well, the system may have served them all, or the client may have repeated
 * them until they did: the record cannot tell.
 */
export const noHiddenRetries: AuditCheck = {
  name: 'no-hidden-retries',
  blocks: 'PASS-hardening',
  downgrade: 'PARTIAL-model',
  evaluate(audited) {
    const windows = landedOf(audited, interrupting)
    if (windows.length === 0)
      return notApplicable('no fault that interrupts service landed: there was nothing to repeat for')
    const troubles = windows.reduce((sum, { window }) => sum + troublesOf(window), 0)
    const problems =
      troubles === 0
        ? [
            'every operation that met a fault ended ok: the client may repeat by itself, which hides failures; turn its retries off',
          ]
        : []
    return judged(problems, windows.map(inWords))
  },
}

function troublesOf({ exposure }: WindowOfRun['window']): number {
  return exposure === null ? 0 : exposure.failed + exposure.unknown
}

function inWords(one: WindowOfRun): string {
  const { exposure } = one.window
  return exposure === null
    ? `${windowName(one)}: which operations met it is not on record`
    : `${windowName(one)}: ${exposure.failed} failed and ${exposure.unknown} unknown of ${exposure.exposed}`
}
