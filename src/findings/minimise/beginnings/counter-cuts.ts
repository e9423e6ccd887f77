import type { Operation } from '../../../history/operation.js'
import { countUpTo } from '../ties/lists.js'
import type { Cuts } from './cuts.js'

const reads: ReadonlySet<string> = new Set(['read', 'get'])

/**
 * For counters: an answer tells the value. Of the changes that may have been counted before it, no more are still to come
 * than the value leaves: where an answer is 3 above what was surely added by then, 3 of the open additions of 1 are in it.
 */
export function counterCuts(history: readonly Operation[], init: number): Cuts {
  const answered = history
    .filter((operation) => operation.complete_ts !== null && added(operation) !== 0)
    .toSorted((one, other) => (one.complete_ts as number) - (other.complete_ts as number))
  const sums: number[] = []
  for (const operation of answered) sums.push((sums.at(-1) ?? 0) + added(operation))
  const addedBefore = ({ invoke_ts: invoked }: Operation) =>
    sums[countUpTo(answered, invoked - 1, ({ complete_ts }) => complete_ts as number) - 1] ?? 0

  return {
    shows: (operation) => valueLeft(operation) !== null,
    after(shown, { core, open }) {
      const value = valueLeft(shown) as number
      const used = value - init - addedBefore(shown) - added(shown)
      const mayBeCounted = (operation: Operation) => operation.invoke_ts <= (shown.complete_ts as number)
      const earlier = open.filter(mayBeCounted)
      const still = new Set([
        ...stillToCome(
          earlier.filter((operation) => added(operation) > 0),
          used,
        ),
        ...stillToCome(
          earlier.filter((operation) => added(operation) < 0),
          -used,
        ),
      ])
      const left = open.filter(
        (operation) => added(operation) !== 0 && (still.has(operation) || !mayBeCounted(operation)),
      )
      return { init: value, open: leadAway(left, { value, core }) ? [] : left }
    },
  }
}

/** Of changes in the same direction those that may be left when some of them made up at least so much. */
function stillToCome(changes: readonly Operation[], used: number): readonly Operation[] {
  const [first] = changes
  if (first === undefined || used <= 0) return changes
  const each = added(first)
  // Only where they are all alike, it does not matter which of them are left: as well those that began first.
  if (changes.some((change) => added(change) !== each)) return changes
  return changes.slice(0, Math.max(0, changes.length - Math.ceil(used / Math.abs(each))))
}

/** Whether each of the changes takes the counter only further from the one value that the core met. */
function leadAway(
  changes: readonly Operation[],
  { value, core }: { value: number; core: readonly Operation[] },
): boolean {
  const [only, ...others] = core
  const left = only === undefined || others.length > 0 ? null : valueLeft(only)
  if (left === null) return false
  const away = value - (left - added(only as Operation))
  return away !== 0 && changes.every((change) => added(change) * away > 0)
}

function added({ op_type: type, input }: Operation): number {
  if (reads.has(type)) return 0
  const amount = Number(input ?? 1)
  return type === 'dec' ? -amount : amount
}

/** The value that the operation left, by its answer; null when it does not say. */
function valueLeft(operation: Operation): number | null {
  const { op_type: type, output } = operation
  if (typeof output !== 'number') return null
  if (reads.has(type) || type === 'add-and-get') return output
  return type === 'get-and-add' ? output + added(operation) : null
}
