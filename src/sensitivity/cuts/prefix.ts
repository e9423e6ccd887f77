import type { Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import type { Random } from '../../random/random.js'
import type { CleanHistory } from '../mutation.js'

/**
 * The beginning of what happened to one object, at most so many operations long and at least half of that, as if the recording had ended there:
 * operations that had not returned by then have unknown outcomes. Null when that is no smaller than the history.
 */
export function prefix(
  history: CleanHistory,
  { size, random }: { size: number; random: Random },
): CleanHistory | null {
  const { operations, model, collected } = history
  const isWhole = model?.partition === 'whole'
  const length = random.int(Math.ceil(size / 2), size)
  const key = isWhole || operations.length === 0 ? null : random.pick(operations).key
  const taken: Operation[] = []
  let end = Infinity
  for (const operation of operations) {
    if (!isWhole && operation.key !== key) continue
    if (taken.length === length) {
      end = operation.invoke_ts
      break
    }
    taken.push(operation)
  }
  if (taken.length === operations.length) return null
  return {
    operations: taken.map((operation) => (isOver(operation, end) ? operation : unanswered(operation))),
    model,
    collected: isWhole ? collected : collectedOf(collected, key),
  }
}

function isOver({ complete_ts: completed }: Operation, end: number): boolean {
  return completed === null || completed < end
}

function unanswered(operation: Operation): Operation {
  const error = 'it had not returned when the recording ended'
  return { ...operation, complete_ts: null, output: null, error, timeout_marker: true }
}

/** Of final reads only those of the key; anything else that was collected stays whole. */
function collectedOf(collected: Json, key: Operation['key']): Json {
  if (!Array.isArray(collected)) return collected
  return collected.filter((read) => {
    const isOfKey = typeof read === 'object' && read !== null && !Array.isArray(read) && 'key' in read
    return !isOfKey || read['key'] === key
  })
}
