import type { RunRecord } from '../../../session/record.js'
import { judgesTime } from '../../judges-time.js'
import { judged, notApplicable, type AuditCheck, type Audited } from '../check.js'
import { landedOf, windowName } from '../recorded.js'

/**
 * Where something was judged by how long it took, the clock that measured it was neither set nor one of several. A node
 * whose clock a fault has skewed does no harm as long as its own times are not what is judged.
 */
export const clockSkewHarmless: AuditCheck = {
  name: 'clock-skew-harmless',
  blocks: 'PASS',
  downgrade: 'PARTIAL-model',
  evaluate(audited) {
    const timing = timingOf(audited)
    if (timing.length === 0) {
      const names = audited.record.checkers.map(({ name }) => name).join(', ')
      return notApplicable(`no checker judges by time: ${names}`)
    }
    const skewed = landedOf(audited, ['clock-skew', 'clock-rate']).map(
      (one) => `${windowName(one)}: a clock of the system, not the one that measures`,
    )
    return judged(
      audited.runs.flatMap((run) => problemsOf(run).map((problem) => `${run.name}: ${problem}`)),
      [`judged by time: ${timing.join(', ')}`, ...audited.runs.map(inWords), ...skewed],
    )
  },
}

function timingOf({ record }: Audited): readonly string[] {
  return record.checkers.filter(judgesTime).map(({ name }) => name)
}

function problemsOf({ recording, host }: RunRecord): string[] {
  const wall =
    recording.clock === 'wall' ? ['times were taken from wall clocks that may differ between processes'] : []
  if (host === null) return [...wall, 'whether the clock of this machine was set meanwhile was not watched']
  return [
    ...wall,
    ...(host.watched.some((source) => /clock/i.test(source))
      ? []
      : ['the clock of this machine was not watched']),
    ...host.signals.filter(({ kind }) => kind === 'clock-step').map(({ detail }) => detail),
  ]
}

function inWords({ name, recording, host }: RunRecord): string {
  const steps = host?.signals.filter(({ kind }) => kind === 'clock-step').length ?? 0
  return `${name}: ${recording.clock} clock, ${host === null ? 'machine not watched' : `${steps} clock steps seen`}`
}
