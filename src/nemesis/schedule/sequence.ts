import { z } from 'zod'
import { DeclarationError } from '../../errors.js'
import { milliseconds, type Duration } from '../../time/duration.js'
import { durationSchema } from '../faults/options.js'
import { parse } from '../parse.js'
import { endsByItself, isPlan, type FaultPlan, type Overlap, type Sequence } from './plan.js'

export interface SequenceOptions {
  /** Between the heal of one and the beginning of the next. Default none. */
  readonly pause?: Duration
}

/** Faults one after another, each from when the one before is healed. Throws DeclarationError when one has no end. */
export function sequence(...given: readonly FaultPlan[] | [...FaultPlan[], SequenceOptions]): Sequence {
  const last = given.at(-1)
  const options = last !== undefined && !isPlan(last) ? last : {}
  const steps = (options === last ? given.slice(0, -1) : given) as readonly FaultPlan[]
  const { pause } = parse('nemesis.sequence()', sequenceSchema, options)
  checkParts('nemesis.sequence()', steps)
  const endless = steps.slice(0, -1).findIndex((step) => !endsByItself(step))
  if (endless !== -1) {
    throw new DeclarationError(
      'nemesis',
      `nemesis.sequence(): step ${endless + 1} has no end, so what follows would never begin`,
      { hint: 'give it `for` or `until`' },
    )
  }
  return { kind: 'sequence', steps, pauseMs: milliseconds(pause ?? 0, 'pause') }
}

/** Faults together; `at` of each counts from when they begin. */
export function overlap(...members: readonly FaultPlan[]): Overlap {
  checkParts('nemesis.overlap()', members)
  return { kind: 'overlap', members }
}

const sequenceSchema = z.strictObject({ pause: durationSchema.optional() })

const planSchema = z.custom<FaultPlan>(isPlan, 'expected nemesis(…)')

function checkParts(where: string, parts: readonly FaultPlan[]): void {
  parse(where, z.array(planSchema).min(1, 'expected a fault'), parts)
}
