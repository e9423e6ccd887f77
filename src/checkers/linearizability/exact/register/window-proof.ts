import { never, none, registerKind, type Part, type Violation } from '../../part.js'
import { foundAmong } from './earliest.js'
import { returnNobodyPasses } from './window-orders.js'
import { windowOf, type WindowOperation } from './window.js'

const smallestWindow = 16
const largestWindow = 4_096

/** Where to look, and how long: `at` is the rank of a return that the search did not get past. */
export interface WindowQuestion {
  readonly at: number
  /** Moves of the search for each window and each value that it may begin with. */
  readonly most?: number
}

interface Judged {
  readonly window: readonly WindowOperation[]
  /** Null: from any value. */
  readonly initial: number | null
  /** The return that no order gets past. */
  readonly end: number
}

/**
 * A violation shown by the operations shortly before an event, for registers whose values are written more than once, with
 * or without CAS; null when no small window shows one, which proves nothing.
 *
 * Ever larger windows that end with the event are tried (see `windowOf` for why one is enough), then the beginning of the one
 * that refutes is moved as late as it may be. Observers are left out one by one, and then values with all that
 * wrote or read them: where nothing compares, what is left of an order without them is still an order. What is not needed
 * is gone then, and the operations that are left are a violation by themselves.
 */
export function windowProof(part: Part, { at, most = 10_000 }: WindowQuestion): Violation | null {
  let narrowest = at
  for (let size = smallestWindow; size <= largestWindow; size *= 2) {
    const start = Math.max(-1, at - size)
    const judged = judge(part, { start, end: at, most })
    if (judged !== null)
      return shrunk(part, latestStart(part, judged, { from: start, to: narrowest, most }), most)
    if (start < 0) return null
    narrowest = start
  }
  return null
}

function judge(
  part: Part,
  { start, end, most }: { start: number; end: number; most: number },
): Judged | null {
  const window = windowOf(part, { start, end })
  const initial = start < 0 ? 0 : null
  const stuck = returnNobodyPasses(window, { initial, most })
  return stuck === none ? null : { window: windowOf(part, { start, end: stuck }), initial, end: stuck }
}

/** A window that starts later allows more orders, so the latest start that still refutes is found by halving. */
function latestStart(
  part: Part,
  first: Judged,
  { from, to, most }: { from: number; to: number; most: number },
): Judged {
  let best = first
  let low = from
  let high = Math.min(to, first.end)
  while (high - low > 1) {
    const middle = (low + high) >> 1
    const judged = judge(part, { start: middle, end: best.end, most })
    if (judged === null) {
      high = middle
    } else {
      low = middle
      best = judged
    }
  }
  return best
}

function shrunk(part: Part, { window, initial, end }: Judged, most: number): Violation {
  let kept = window
  const tryWithout = (isOut: (operation: WindowOperation) => boolean) => {
    const rest = kept.filter((operation) => !isOut(operation))
    if (rest.length < kept.length && returnNobodyPasses(rest, { initial, most }) !== none) kept = rest
  }
  for (const operation of window) if (isObserver(operation)) tryWithout((other) => other === operation)
  for (const { a } of window) {
    if (kept.some((other) => other.kind === registerKind.differs)) break
    const isCompared = kept.some(
      ({ kind, ...one }) => kind === registerKind.cas && (one.a === a || one.b === a),
    )
    if (!isCompared) tryWithout((other) => other.a === a)
  }
  for (const operation of window) if (isObserver(operation)) tryWithout((other) => other === operation)

  const needed = new Set(kept.filter(({ kind }) => kind !== registerKind.write).map(({ a }) => a))
  const leaves = ({ kind, a, b }: WindowOperation) => (kind === registerKind.cas ? b : a)
  const told = kept.filter((operation) => operation.complete !== never || needed.has(leaves(operation)))
  const last = told.find(({ complete }) => complete === end) ?? told.at(-1)
  return foundAmong(part, {
    type: 'not-linearizable',
    operations: told.map(({ index }) => index),
    limit: end,
    explain: ({ tell }) => {
      const before = initial === null ? 'whatever value the register had before' : 'from the initial value'
      return `No order of these ${told.length} operations explains what they saw, ${before}: none gets past the return of ${tell((last as WindowOperation).index)}.`
    },
  }).violation
}

function isObserver({ kind }: WindowOperation): boolean {
  return kind === registerKind.read || kind === registerKind.differs
}
