import { FaultError, messageOf } from '../../errors.js'
import type { FaultContext } from '../fault.js'
import { within } from '../../time/wait.js'

/** How a node's own clock stands to the machine's. */
export interface NodeTime {
  /** The machine's wall clock when it told, in milliseconds. */
  readonly at: number
  /** Milliseconds that it is ahead. */
  readonly aheadMs: number
  /** The answer was under way for twice as long: it may be wrong by this much. */
  readonly uncertainMs: number
  /** It told a whole second, as an HTTP date does. */
  readonly wholeSecond: boolean
}

/** Shorter than the time for which the end of a fault waits for a last look. */
const readWithinMs = 1_500

/** Asks a node for its time. Null when the system says no way to ask; throws FaultError when the node does not tell. */
export async function nodeTime(context: FaultContext, node: string): Promise<NodeTime | null> {
  const { readClock } = context
  if (readClock === undefined) return null
  const asked = Date.now()
  const told = await within(readWithinMs, `reading the clock of ${node}`, readClock(node)).catch(
    (error: unknown) => {
      throw new FaultError('clock', `the own clock of ${node} could not be read: ${messageOf(error)}`, {
        cause: error,
      })
    },
  )
  const answered = Date.now()
  if (typeof told !== 'number' || !Number.isFinite(told)) {
    throw new FaultError('clock', `clock() of the system answered ${JSON.stringify(told)} for ${node}`, {
      hint: 'return milliseconds since the epoch, such as Date.parse(response.headers.date)',
    })
  }
  return {
    at: (asked + answered) / 2,
    aheadMs: told - (asked + answered) / 2,
    uncertainMs: (answered - asked) / 2,
    wholeSecond: told % 1_000 === 0,
  }
}

const graceMs = 60
/** A clock that tells whole seconds lags by up to one, and by up to two where the answer is kept for a second. */
const wholeSecondMs = 2_000

/** By how much the difference of two readings may be off. */
export function toleranceMs(before: NodeTime, after: NodeTime): number {
  const coarse = before.wholeSecond && after.wholeSecond ? wholeSecondMs : 0
  return graceMs + coarse + before.uncertainMs + after.uncertainMs
}
