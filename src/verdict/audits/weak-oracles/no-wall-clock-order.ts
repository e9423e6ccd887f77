import { judged, type AuditCheck } from '../check.js'

/** One monotonic clock stamps the operations of all processes, so that the order of their times means something. */
export const noWallClockOrder: AuditCheck = {
  name: 'no-wall-clock-order',
  blocks: 'PASS-hardening',
  downgrade: 'PARTIAL-model',
  evaluate({ runs }) {
    const problems = runs
      .filter(({ recording }) => recording.clock === 'wall')
      .map(({ name }) => `${name}: operations are ordered by wall clocks that may differ between processes`)
    return judged(
      problems,
      runs.map(({ name, recording }) => `${name}: recorded ${recording.mechanism}, ${recording.clock} clock`),
    )
  },
}
