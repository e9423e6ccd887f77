import { milliseconds, type Duration } from '../../../time/duration.js'
import { judged, type AuditCheck } from '../check.js'

/** At least one run lasted as long as the hardening budget asks for. */
export const notShortRunsOnly: AuditCheck = {
  name: 'not-short-runs-only',
  blocks: 'PASS-hardening',
  downgrade: 'PARTIAL-model',
  evaluate({ record, runs }) {
    const longest = Math.max(...runs.map(({ durationMs }) => durationMs))
    const hardening = record.budget?.hardening
    if (hardening === undefined) {
      return judged(
        ['no hardening budget says how long is long enough'],
        [`the longest run lasted ${Math.round(longest)} ms`],
      )
    }
    const neededMs = milliseconds(hardening.duration as Duration)
    const told = `the longest run lasted ${Math.round(longest)} ms, hardening asks for ${neededMs} ms`
    return longest >= neededMs ? judged([], [told]) : judged([`short runs only: ${told}`], [])
  },
}
