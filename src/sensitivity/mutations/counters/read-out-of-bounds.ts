import { outcomeOf, type Operation } from '../../../history/operation.js'
import type { Model } from '../../../models/model.js'
import { answering } from '../../change.js'
import { countBefore, drawFrom } from '../../draw.js'
import type { CleanHistory, Mutation } from '../../mutation.js'
import { perHistory } from '../../per-history.js'
import { grouped } from '../../grouped.js'

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

/** How much the operations before a moment add up to. */
interface Sum {
  /** Moments, in order. */
  readonly at: readonly number[]
  /** For each of them what was added up to there, and in front of them 0. */
  readonly upTo: readonly number[]
}

interface CounterHistory {
  readonly initial: number
  readonly reads: readonly Operation[]
  /** Acknowledged additions by when they returned, and additions that may have happened by when they began. */
  readonly certain: { readonly up: Sum; readonly down: Sum }
  readonly possible: { readonly up: Sum; readonly down: Sum }
}

const counterHistories = perHistory(({ operations, model }: CleanHistory): readonly CounterHistory[] => {
  const keys = grouped(operations, ({ key }) => key)
  return [...keys.values()].flatMap((its) => {
    const history = historyOf(its, model)
    return history === null ? [] : [history]
  })
})

function historyOf(operations: readonly Operation[], model: Model | null): CounterHistory | null {
  const init = model?.semantics.init ?? 0
  const changes: { by: number; operation: Operation }[] = []
  const reads: Operation[] = []
  for (const operation of operations) {
    const { op_type: type, input, output } = operation
    const outcome = outcomeOf(operation)
    const sign = Object.hasOwn(signs, type) ? signs[type] : undefined
    if (readTypes.has(type) && outcome === 'ok' && typeof output === 'number') reads.push(operation)
    if (sign === undefined || outcome === 'failed') continue
    const amount = input ?? 1
    // What it adds is not known, and neither is what any read may say.
    if (typeof amount !== 'number' || !Number.isSafeInteger(amount)) return null
    changes.push({ by: sign * amount, operation })
  }
  if (typeof init !== 'number') return null
  const side = (isUp: boolean) => changes.filter(({ by }) => by > 0 === isUp)
  const certain = (isUp: boolean) =>
    sumOf(
      side(isUp)
        .filter(({ operation }) => outcomeOf(operation) === 'ok')
        .map(({ by, operation }) => ({ by, at: operation.complete_ts ?? Infinity })),
    )
  const possible = (isUp: boolean) =>
    sumOf(side(isUp).map(({ by, operation }) => ({ by, at: operation.invoke_ts })))
  return {
    initial: init,
    reads,
    certain: { up: certain(true), down: certain(false) },
    possible: { up: possible(true), down: possible(false) },
  }
}

function sumOf(changes: readonly { readonly by: number; readonly at: number }[]): Sum {
  const sorted = [...changes].sort((a, b) => a.at - b.at)
  const upTo = [0]
  for (const { by } of sorted) upTo.push((upTo.at(-1) ?? 0) + by)
  return { at: sorted.map(({ at }) => at), upTo }
}

function before({ at, upTo }: Sum, moment: number): number {
  return upTo[countBefore(at, moment, (one) => one)] ?? 0
}

/** A read answers less than what was acknowledged, or more than what can have been added. */
export const readOutOfBounds: Mutation = {
  name: 'read-out-of-bounds',
  about: 'an acknowledged addition is lost, or one is applied twice',
  draw(history, random) {
    return drawFrom(counterHistories(history), random, ({ initial, reads, certain, possible }) =>
      drawFrom(reads, random, (read) => {
        const [began, ended] = [read.invoke_ts, (read.complete_ts ?? Infinity) + 1]
        const least = initial + before(certain.up, began) + before(possible.down, ended)
        const most = initial + before(possible.up, ended) + before(certain.down, began)
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
