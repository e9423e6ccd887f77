import { z } from 'zod'
import { DeclarationError } from '../../errors.js'
import { milliseconds, type Duration } from '../../time/duration.js'
import { durationSchema } from '../faults/options.js'
import type { Nemesis, Schedule } from '../fault.js'
import { parse } from '../parse.js'
import { isPlan, type RandomFaults } from './plan.js'
import { checkedTimes } from './times.js'

/** The envelope of a random schedule. */
export interface RandomOptions {
  /**
   * Faults to draw from, such as `nemesis('kill', { node: 'random' })`. One that is named twice is drawn twice as often.
   * A `for` of its own wins over the drawn one.
   */
  readonly kinds: readonly Nemesis[]
  /** Faults in place at once, at most. Default 1. No node is the target of two. */
  readonly maxOverlap?: number
  /**
   * Leaves a majority of the nodes well: a fault that would take more is not injected. Nodes that faults in place have
   * as targets are not well; of a fault with two sides, those of the smaller one. Default true.
   */
  readonly keepQuorum?: boolean
  /**
   * At least this long, and at most twice as long, no fault is in place once the system has recovered from those before.
   * Default 2 s.
   */
  readonly quiet?: Duration
  /** How long a fault stays once it has landed, at least and at most. Default 1 s to 5 s. */
  readonly for?: readonly [Duration, Duration]
  /** Draws the same schedule whatever the seed of the run. */
  readonly seed?: number
  readonly at?: Duration
  readonly until?: Schedule['until']
}

/**
 * Faults drawn by the seed, within an envelope, in groups of at most `maxOverlap` that overlap. The same seed draws the
 * same kinds, targets, pauses and lengths. Throws DeclarationError for an envelope that makes no sense.
 */
export function random(options: RandomOptions): RandomFaults {
  const where = 'nemesis.random()'
  const given = parse(where, randomSchema, options)
  const scheduled = options.kinds.find(
    ({ schedule: { at, every, until } }) => (at ?? every ?? until) !== undefined,
  )
  if (scheduled !== undefined) {
    throw new DeclarationError('nemesis', `${where}: ${scheduled.definition.name} has a time of its own`, {
      hint: 'leave `at`, `every` and `until` out of the kinds: the schedule draws their times',
    })
  }
  const [least, most] = (given.for ?? ['1s', '5s']).map((one) => milliseconds(one, `${where}.for`)) as [
    number,
    number,
  ]
  if (least > most) {
    throw new DeclarationError('nemesis', `${where}: \`for\` goes from ${least} ms down to ${most} ms`, {
      hint: "write the shorter one first: ['1s', '5s']",
    })
  }
  const quietMs = milliseconds(given.quiet ?? '2s', `${where}.quiet`)
  if (quietMs < 1) {
    throw new DeclarationError('nemesis', `${where}: \`quiet\` is ${quietMs} ms`, {
      hint: 'leave the system some time without faults: 1 ms at least, a second or more is usual',
    })
  }
  return {
    kind: 'random',
    kinds: options.kinds,
    maxOverlap: given.maxOverlap ?? 1,
    keepQuorum: given.keepQuorum ?? true,
    quietMs,
    forMs: [least, most],
    seed: given.seed ?? null,
    schedule: checkedTimes(where, { at: given.at, until: options.until }),
  }
}

const randomSchema = z.strictObject({
  kinds: z
    .array(z.custom<Nemesis>((value) => isPlan(value) && 'definition' in value, 'expected nemesis(…)'))
    .min(1, 'expected a fault to draw'),
  maxOverlap: z.int().positive().optional(),
  keepQuorum: z.boolean().optional(),
  quiet: durationSchema.optional(),
  for: z.tuple([durationSchema, durationSchema]).optional(),
  seed: z.int().nonnegative().optional(),
  at: durationSchema.optional(),
  until: z.unknown().optional(),
})
