import { outcomeOf, type Operation } from '../../../history/operation.js'
import type { Model } from '../../../models/model.js'
import { answering } from '../../change.js'
import { drawFrom } from '../../draw.js'
import { grouped } from '../../../checkers/grouped.js'
import type { CleanHistory, Mutation } from '../../mutation.js'
import { perHistory } from '../../per-history.js'
import { Bounds, type Addition } from './bounds.js'

const signs: Readonly<Record<string, number>> = {
  inc: 1,
  increment: 1,
  add: 1,
  dec: -1,
  decrement: -1,
  'add-and-get': 1,
  'get-and-add': 1,
}
const readTypes: ReadonlySet<string> = new Set(['read', 'get'])

interface CounterHistory {
  readonly reads: readonly Operation[]
  readonly bounds: Bounds
}

const counterHistories = perHistory(({ operations, model }: CleanHistory): readonly CounterHistory[] => {
  const keys = grouped(operations, ({ key }) => key)
  return [...keys.values()].flatMap((its) => historyOf(its, model) ?? [])
})

/** Null when not every addition says how much. */
function historyOf(operations: readonly Operation[], model: Model | null): CounterHistory | null {
  const init = model?.semantics.init ?? 0
  const additions: Addition[] = []
  const reads: Operation[] = []
  for (const operation of operations) {
    const { op_type: type, input, output } = operation
    const outcome = outcomeOf(operation)
    const sign = Object.hasOwn(signs, type) ? signs[type] : undefined
    if (readTypes.has(type) && outcome === 'ok' && typeof output === 'number') reads.push(operation)
    if (sign === undefined || outcome === 'failed') continue
    const amount = input ?? 1
    if (typeof amount !== 'number' || !Number.isSafeInteger(amount)) return null
    additions.push({ by: sign * amount, operation })
  }
  return typeof init === 'number' ? { reads, bounds: new Bounds(init, additions) } : null
}

/** A read answers less than what was acknowledged, or more than what can have been added. */
export const readOutOfBounds: Mutation = {
  name: 'read-out-of-bounds',
  about: 'an acknowledged addition is lost, or one is applied twice',
  draw(history, random) {
    return drawFrom(counterHistories(history), random, ({ reads, bounds }) =>
      drawFrom(reads, random, (read) => {
        const { least, most } = bounds.of(read)
        const isBelow = random.int(0, 1) === 0
        const output = isBelow ? least - 1 : most + 1
        const bound = isBelow
          ? `at least ${least} is acknowledged by then`
          : `at most ${most} can have been added by then`
        const what = `read (operation ${JSON.stringify(read.op_id)}) answers ${output}, although ${bound}`
        return answering(history, { operation: read, output, what })
      }),
    )
  },
}
