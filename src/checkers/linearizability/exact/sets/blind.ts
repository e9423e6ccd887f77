import { never, setKind, type Part } from '../../part.js'
import { isBlind, sees, turnsTo } from './toggles.js'

/**
 * What one element's history comes to where some add or remove does not say whether it changed the set: possible,
 * impossible because of a few operations, or not to be told without a search (`unclear`).
 */
export type BlindVerdict = 'possible' | 'unclear' | readonly number[]

/** Closed forms for one element that is only added, only removed, or added once and removed once. */
export function judgeBlind(part: Part, operations: readonly number[]): BlindVerdict {
  const changes = operations.filter((i) => turnsTo(part, i) !== null)
  const adds = changes.filter((i) => part.kind[i] === setKind.add)
  const removes = changes.filter((i) => part.kind[i] === setKind.remove)
  const observers = operations.filter((i) => turnsTo(part, i) === null)
  const present = observers.filter((i) => sees(part, i) === 1)
  const absent = observers.filter((i) => sees(part, i) === 0)

  if (adds.length === 0) {
    const wrong = present[0] ?? removes.find((i) => part.b[i] === 1)
    return wrong === undefined ? 'possible' : [wrong]
  }
  if (removes.length === 0) return onlyAdded(part, { adds, present, absent })
  if (adds.length > 1 || removes.length > 1) return 'unclear'
  const add = adds[0]!
  const remove = removes[0]!
  if (!isBlind(part, remove)) return addedOnce(part, { add, remove, present, absent })
  // It took the element out, or it came when there was nothing to take out.
  const effective = addedOnce(part, { add, remove, present, absent, removes: true })
  if (effective === 'possible') return effective
  const idle = addedOnce(part, { add, remove: null, present, absent: [...absent, remove] })
  return idle === 'possible' || typeof effective === 'string' || typeof idle === 'string'
    ? idle
    : [...effective, ...idle, remove]
}

/** Absent up to some moment and present from then on. The moment lies within an add; the first one to be applied. */
function onlyAdded(
  { b, invoke, complete }: Part,
  {
    adds,
    present,
    absent,
  }: { adds: readonly number[]; present: readonly number[]; absent: readonly number[] },
): BlindVerdict {
  const changed = adds.filter((i) => b[i] === 1)
  if (changed.length > 1) return changed.slice(0, 2)
  const until = earliest(complete, [...adds, ...present])
  if (until === null || complete[until] === never) return 'possible'
  const first = changed[0] ?? (earliest(invoke, adds) as number)
  const from = latest(invoke, [first, ...absent]) as number
  return complete[until]! < invoke[from]! ? [until, from, first] : 'possible'
}

/** One add and at most one remove; with `removes`, that remove took the element out. */
function addedOnce(
  { b, invoke, complete }: Part,
  {
    add,
    remove,
    present,
    absent,
    removes = false,
  }: {
    add: number
    remove: number | null
    present: readonly number[]
    absent: readonly number[]
    removes?: boolean
  },
): BlindVerdict {
  const removed = remove !== null && (removes || b[remove] === 1)
  const happened = complete[add] !== never || present.length > 0 || removed
  if (!happened) return 'possible'
  // Certainly present from the completion of `first` to the invocation of `last`.
  const first = earliest(complete, [add, ...present, ...(removed ? [remove] : [])]) as number
  const last = latest(invoke, [add, ...present]) as number
  if (complete[first]! < invoke[add]!) return [first, add]
  if (removed && complete[remove]! < invoke[last]!) return [add, remove, last]
  const gone = remove === null ? null : (latest(invoke, [last, remove]) as number)
  const missed = absent.find(
    (i) => complete[first]! < invoke[i]! && (gone === null || complete[i]! < invoke[gone]!),
  )
  if (missed === undefined) return 'possible'
  return [add, first, missed, ...(gone === null ? [] : [gone]), ...(remove === null ? [] : [remove])]
}

function earliest(ranks: Int32Array, operations: readonly number[]): number | null {
  return operations.reduce<number | null>(
    (best, i) => (best === null || ranks[i]! < ranks[best]! ? i : best),
    null,
  )
}

function latest(ranks: Int32Array, operations: readonly number[]): number | null {
  return operations.reduce<number | null>(
    (best, i) => (best === null || ranks[i]! > ranks[best]! ? i : best),
    null,
  )
}
