import fc from 'fast-check'
import type { Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'
import { operation } from '../operation.js'

const step = fc.record({
  process: fc.nat(2),
  pause: fc.nat(4),
  length: fc.nat(5),
  outcome: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'refused', 'failed', 'unknown'),
  /** Mostly the other way than before. */
  again: fc.nat(9),
  other: fc.nat(9),
  token: fc.nat(9),
})

interface HoldsOptions {
  /** Whether processes go on after an unknown outcome, or with two operations at once. */
  readonly unruly?: boolean
  /** Whether holders renew now and then. */
  readonly renews?: boolean
  /** What a grant answers, from the moment of its answer and a number from 0 to 9. */
  readonly answer?: (at: number, dice: number) => Json
  readonly most?: number
}

/** Small histories of processes that acquire and release in turn, mostly; also empty ones, and of only unknown outcomes. */
export function holdHistories({
  unruly = false,
  renews = false,
  answer = () => null,
  most = 8,
}: HoldsOptions = {}): fc.Arbitrary<Operation[]> {
  return fc.array(step, { maxLength: most, size: 'max' }).map((steps) => {
    const free = [0, 0, 0]
    const names = [0, 1, 2]
    const holding = [false, false, false]
    return steps.map(({ process, pause, length, outcome, again, other, token }, n) => {
      const invoke = Math.max(0, free[process]! + pause - (unruly && other < 3 ? 3 : 0))
      const wasHolding = holding[process]!
      const isRenew = renews && wasHolding && other > 4
      const type = isRenew ? 'renew' : wasHolding === again < 9 ? 'release' : 'acquire'
      if (outcome !== 'failed' && !isRenew) holding[process] = type === 'acquire' && outcome !== 'refused'
      const complete = invoke + length
      free[process] = complete + 1
      const name = names[process]!
      if (outcome === 'unknown' && !unruly) {
        names[process] = name + 3
        holding[process] = false
      }
      const grants = type !== 'release' && outcome === 'ok'
      return operation({
        op_id: n,
        op_type: type,
        process_id: name,
        at: [invoke, outcome === 'unknown' ? null : complete],
        output: outcome === 'refused' ? false : grants ? answer(complete, token) : null,
        ...(outcome === 'failed' ? { error: 'refused' } : {}),
      })
    })
  })
}
