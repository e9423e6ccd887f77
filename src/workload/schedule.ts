import type { Random } from '../random/random.js'

/**
 * When the operations of an open loop are meant to start: nanoseconds from the start of the workload, in order, without
 * end. Each operation falls on a random moment of its own slot of 1 / rate, so the count is exact and clients do
 * not march in step. Determined by the seed and the rate.
 */
export function* intendedStarts(perSecond: number, random: Random): Generator<number, never> {
  const stream = random.fork('schedule')
  for (let slot = 0; ; slot++) yield Math.floor(((slot + stream.float()) / perSecond) * 1e9)
}
