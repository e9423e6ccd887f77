import { outcomeOf, type Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import { canonical } from '../../models/canonical.js'
import type { Random } from '../../random/random.js'
import type { CleanHistory } from '../mutation.js'

const putTypes: ReadonlySet<string> = new Set([
  'enqueue',
  'push',
  'insert',
  'offer',
  'send',
  'publish',
  'add',
])

/**
 * What happened to some elements of queues and sets, drawn so that about so many operations remain: operations on other
 * elements are left out, and lists have no others. Null when there are no elements.
 */
export function someElements(
  history: CleanHistory,
  { size, random }: { size: number; random: Random },
): CleanHistory | null {
  const { operations, model, collected } = history
  if (!operations.some(({ op_type: type }) => putTypes.has(type))) return null
  const share = Math.max(1, Math.floor(operations.length / size))
  const chosen = new Map<string, boolean>()
  const isChosen = (value: Json): boolean => {
    const text = canonical(value)
    let known = chosen.get(text)
    if (known === undefined) {
      known = random.int(1, share) === 1
      chosen.set(text, known)
    }
    return known
  }
  const kept = (value: Json): Json => (Array.isArray(value) ? value.filter(isChosen) : value)
  const taken = operations.flatMap((operation): Operation[] => {
    const { input, output } = operation
    if (Array.isArray(output)) return [{ ...operation, output: kept(output) }]
    const element = input ?? output
    // What a take of unknown outcome took is not known, so it may have been any.
    if (element === null) return outcomeOf(operation) === 'failed' ? [] : [operation]
    return isChosen(element) ? [operation] : []
  })
  return { operations: taken, model, collected: finals(collected, kept) }
}

function finals(collected: Json, kept: (value: Json) => Json): Json {
  if (!Array.isArray(collected)) return collected
  return collected.map((read) => {
    const isFinal = typeof read === 'object' && read !== null && !Array.isArray(read) && 'value' in read
    return isFinal ? { ...read, value: kept(read['value'] ?? null) } : read
  })
}
