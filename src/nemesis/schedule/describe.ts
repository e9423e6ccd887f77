import { describeNemesis } from '../describe.js'
import { seconds } from '../../time/wait.js'
import type { FaultPlan } from './plan.js'

/** A plan in words, for reports: `kill node=n1 for 2s, then pause node=n1 for 2s`. */
export function describePlan(plan: FaultPlan): string {
  if ('definition' in plan) return describeNemesis(plan)
  if (plan.kind === 'overlap') return `together (${plan.members.map(describePlan).join(' | ')})`
  if (plan.kind === 'sequence') {
    const pause = plan.pauseMs === 0 ? 'then' : `after ${seconds(plan.pauseMs)}`
    return `in sequence (${plan.steps.map(describePlan).join(`, ${pause} `)})`
  }
  const { kinds, maxOverlap, keepQuorum, quietMs, forMs, seed, schedule } = plan
  const when = [
    ...(schedule.at === undefined ? [] : [`at ${schedule.at}`]),
    ...(schedule.until === undefined
      ? []
      : [`until ${typeof schedule.until === 'function' ? 'an event' : schedule.until}`]),
  ]
  const envelope = [
    `${maxOverlap} at once`,
    keepQuorum ? 'quorum kept' : 'quorum not kept',
    `${seconds(quietMs)} quiet`,
    `each for ${seconds(forMs[0])} to ${seconds(forMs[1])}`,
    ...(seed === null ? [] : [`seed ${seed}`]),
  ]
  return ['random', `(${kinds.map(describePlan).join(' | ')}; ${envelope.join(', ')})`, ...when].join(' ')
}
