import { belowAttempted } from '../../tier.js'
import { milliseconds } from '../../../time/duration.js'
import { aimedTier, reaches } from '../attempted.js'
import { judged, notApplicable, type AuditCheck } from '../check.js'

/** Every run lasted as long as the tier asks for that was attempted, and that tier was met. */
export const durationMet: AuditCheck = {
  name: 'duration-met',
  blocks: 'PASS-hardening',
  downgrade: 'PARTIAL-surface',
  evaluate({ record, runs }) {
    const aimed = aimedTier(record)
    if (aimed === null) return notApplicable('no budget is declared, so that no duration is claimed')
    const { tier, budget } = aimed
    const neededMs = milliseconds(budget.duration)
    const short = runs.filter(({ durationMs }) => !(durationMs >= neededMs))
    const problems = short.map(
      ({ name, durationMs }) => `${name} lasted ${ms(durationMs)} of the ${ms(neededMs)} of ${tier}`,
    )
    if (!reaches(record.tierMet, tier))
      problems.push(belowAttempted(record) ?? `${tier} was attempted, ${record.tierMet} met`)
    const durations = runs.map(({ name, durationMs }) => `${name} ${ms(durationMs)}`).join(', ')
    return judged(problems, [`${tier} asks for ${ms(neededMs)}: ${durations}; tier met: ${record.tierMet}`])
  },
}

function ms(value: number): string {
  return `${Math.round(value)} ms`
}
