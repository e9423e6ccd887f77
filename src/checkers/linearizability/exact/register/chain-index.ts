import { never, none, registerKind, type Part } from '../../part.js'
import { foundAmong, returnBy, type Found } from './earliest.js'
import { reusable } from './scratch.js'
import { seenBeforeWritten } from './written.js'

/** What of a history is known from who wrote and who saw each value, up to the event `limit`. */
export interface ChainIndex {
  readonly part: Part
  readonly limit: number
  /** By value, the operation that wrote it; `none` for the initial value and for one that nobody wrote. */
  readonly writer: Int32Array
  /** By value, an operation that needs it to have been there; `none` when there is none. */
  readonly observer: Int32Array
  /** By value, the value that a CAS which took effect put in its place; `none` when there was none. */
  readonly next: Int32Array
  /** 1 for values that a CAS which took effect put in another's place. */
  readonly follows: Uint8Array
  /** By value, its first completed read; by operation, the next read of the same value. */
  readonly firstRead: Int32Array
  readonly nextRead: Int32Array
}

const observerMemory = reusable()
const nextMemory = reusable()
const firstReadMemory = reusable()
const nextReadMemory = reusable()
const pendingMemory = reusable()
let followsMemory = new Uint8Array(0)

/**
 * Finds out which CAS of unknown outcome took effect, and which value came directly after which.
 *
 * All new values are distinct, so a CAS of unknown outcome took effect exactly when its new value was there for someone,
 * and then the value that it expected was there too. Returns a violation when a value was there that nobody had written,
 * or when two CAS found the same value: a value does not come back.
 */
export function indexChains(
  part: Part,
  { writer, limit }: { writer: Int32Array; limit: number },
): ChainIndex | Found {
  const { count, kind, a, b, invoke, values } = part
  const observer = observerMemory(values, none)
  const next = nextMemory(values, none)
  const firstRead = firstReadMemory(values, none)
  const nextRead = nextReadMemory(count, none)
  if (followsMemory.length < values) followsMemory = new Uint8Array(values)
  const follows = followsMemory.subarray(0, values).fill(0)
  const index = { part, limit, writer, observer, next, follows, firstRead, nextRead }
  const pending = pendingMemory(count, none)
  let top = 0

  const observe = (value: number, by: number) => {
    if (observer[value] !== none) return
    observer[value] = by
    const source = writer[value] as number
    if (source === none || kind[source] !== registerKind.cas) return
    if (returnBy(part, { operation: source, limit }) === never) pending[top++] = source
  }
  /** The violation of an operation that saw a value before anyone could have written it. */
  const tooEarly = (operation: number): Found | null => {
    const value = a[operation] as number
    if (value === 0) return null
    const source = writer[value] as number
    const end = Math.min(returnBy(part, { operation, limit }), limit)
    if (source !== none && (invoke[source] as number) <= end) return null
    const found = seenBeforeWritten(part, { operation, writer: source, limit })
    return withProof(index, found)
  }
  const link = (operation: number): Found | null => {
    const expected = a[operation] as number
    const other = next[expected] as number
    next[expected] = b[operation] as number
    follows[b[operation] as number] = 1
    return other === none ? null : twiceFrom(index, [writer[other] as number, operation])
  }

  for (let operation = 0; operation < count; operation += 1) {
    const isCas = kind[operation] === registerKind.cas
    if (!isCas && kind[operation] !== registerKind.read) continue
    if (returnBy(part, { operation, limit }) === never) continue
    const value = a[operation] as number
    observe(value, operation)
    if (!isCas) {
      nextRead[operation] = firstRead[value] as number
      firstRead[value] = operation
    }
    const found = tooEarly(operation) ?? (isCas ? link(operation) : null)
    if (found !== null) return found
  }
  while (top > 0) {
    const operation = pending[--top] as number
    observe(a[operation] as number, operation)
    const found = tooEarly(operation) ?? link(operation)
    if (found !== null) return found
  }
  return index
}

/** True for a CAS that took effect; one of unknown outcome did when its new value was there for someone. */
export function tookEffect({ part, limit, observer }: ChainIndex, cas: number): boolean {
  if ((part.invoke[cas] as number) > limit) return false
  return returnBy(part, { operation: cas, limit }) !== never || observer[part.b[cas] as number] !== none
}

/** For every CAS of unknown outcome among the operations, those that show that it took effect. */
export function proofsOfEffect(index: ChainIndex, operations: readonly number[]): number[] {
  const { part, limit, observer } = index
  const proofs: number[] = []
  for (const operation of operations) {
    let at = operation
    while (part.kind[at] === registerKind.cas && returnBy(part, { operation: at, limit }) === never) {
      at = observer[part.b[at] as number] as number
      if (at === none || proofs.includes(at)) break
      proofs.push(at)
    }
  }
  return proofs
}

function withProof(index: ChainIndex, { violation, last }: Found): Found {
  const proofs = proofsOfEffect(index, violation.operations)
  const [proof] = proofs
  if (proof === undefined) return { violation, last }
  const found = foundAmong(index.part, {
    type: violation.type,
    operations: [...violation.operations, ...proofs],
    limit: index.limit,
    explain: (words) =>
      `${violation.explain(words)} It took effect, because ${words.tell(proof)} needs the value that it wrote.`,
  })
  return { violation: found.violation, last: Math.max(last, found.last) }
}

function twiceFrom(index: ChainIndex, pair: readonly [number, number]): Found {
  const { part, writer, limit } = index
  const expected = part.a[pair[0]] as number
  const operations = [writer[expected] as number, ...pair, ...proofsOfEffect(index, pair)]
  return foundAmong(part, {
    type: 'cas-twice-from-one-value',
    operations,
    limit,
    explain: ({ tell, value }) => {
      const once = expected === 0 ? 'is there only at the start' : 'was written only once'
      return `${tell(pair[0])} and ${tell(pair[1])} both took effect and found ${value(expected)}, which ${once}: after the first of them it never comes back.`
    },
  })
}
