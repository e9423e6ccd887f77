import type { Anomaly } from '../checker.js'
import { tell } from '../words.js'
import type { Addition, CounterBounds } from './bounds.js'
import type { Reading } from './readings.js'

/** Operations that an anomaly names besides the read. */
const named = 20

interface Context {
  readonly bounds: CounterBounds
  readonly init: number
  /** The bound that does not hold, of the value before the reading's own effect. */
  readonly bound: number
}

/** A read below what acknowledged increments had made of the counter, with increments that show it by themselves. */
export function tooLow(reading: Reading, { bounds, init, bound }: Context): Anomaly {
  const shortBy = reading.value - init
  const proof = enough(bounds.returnedBefore(reading.invoked), (sum, amount) => amount > 0 && sum <= shortBy)
  return anomalyOf(reading, {
    type: 'counter-too-low',
    why: `the counter was at least ${bound} then: from ${init} on, increments had been acknowledged before it began that no decrement begun before its return makes up for`,
    proof,
  })
}

/** A read above what any operation can have made of the counter, with decrements that show it by themselves. */
export function tooHigh(reading: Reading, { bounds, init, bound }: Context): Anomaly {
  const over = reading.value - init
  const proof = enough(bounds.returnedBefore(reading.invoked), (sum, amount) => amount < 0 && sum >= over)
  return anomalyOf(reading, {
    type: 'counter-too-high',
    why: `the counter was at most ${bound} then: from ${init} on, no more had been added by increments begun before its return, those of unknown outcome included`,
    proof,
  })
}

/** Additions for as long as they are `wanted` on top of the sum so far; few enough to name. */
function enough(
  additions: Iterable<Addition>,
  wanted: (sum: number, amount: number) => boolean,
): readonly Addition[] {
  const chosen: Addition[] = []
  let sum = 0
  for (const addition of additions) {
    if (chosen.length === named) break
    if (!wanted(sum, addition.amount)) continue
    chosen.push(addition)
    sum += addition.amount
  }
  return chosen
}

function anomalyOf(
  reading: Reading,
  { type, why, proof }: { type: string; why: string; proof: readonly Addition[] },
): Anomaly {
  const own = reading.adds === 0 ? '' : `, so that it had been ${reading.value} before`
  const [last] = proof
  const such = last === undefined ? '' : `; the last of them was ${tell(last.operation)}`
  return {
    type,
    explanation: `${reading.told}${own}, and ${why}${such}.`,
    operations: [
      ...proof
        .map(({ operation }) => operation)
        .toSorted((one, other) => one.invoke_ts - other.invoke_ts)
        .map(({ op_id: id }) => id),
      ...(reading.id === null ? [] : [reading.id]),
    ],
  }
}
