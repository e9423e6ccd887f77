import {
  logKind,
  never,
  none,
  type Decision,
  type ExactChecker,
  type Part,
  type Violation,
} from '../../part.js'
import { blame, type Blame } from '../counter/blame.js'
import { grow, type Growth } from '../counter/growth.js'
import { inOrder } from '../in-order.js'
import { findDisorder } from './order.js'
import { positionsOf, withTellers, type Positions } from './positions.js'

/**
 * Logs and append-only lists whose entries are distinct: offsets, list reads and reads at an offset tell the order,
 * which is then held against real time. Offsets that nobody told of are filled by appends without a known place,
 * lazily and by earliest deadline, as those of a counter are. Exact. O(n log n + size of the reads).
 */
export const logChecker: ExactChecker = {
  name: 'log order',
  object: 'log',
  preconditions: 'every entry is appended once',
  decide(part) {
    const positions = positionsOf(part)
    if (typeof positions === 'string') return { valid: 'unknown', reason: positions }
    if ('type' in positions) return { valid: false, violation: positions }
    const violation = findLost(part, positions) ?? findDisorder(part, positions)
    if (violation !== null) return { valid: false, violation }
    if (!positions.hasHoles && positions.unplaced.length === 0) return { valid: true }
    return fill(part, positions)
  },
}

/** An append that completed before a read of the whole log began, and is in no read at all; with the first such read. */
function findLost(part: Part, { unplaced }: Positions): Violation | null {
  const { count, kind, invoke, complete } = part
  const reads: number[] = []
  for (let i = 0; i < count; i += 1) if (kind[i] === logKind.list) reads.push(i)
  const last = reads.reduce((latest, i) => Math.max(latest, invoke[i]!), -1)
  const lost = unplaced.find((append) => complete[append]! < last)
  if (lost === undefined) return null
  const [read] = inOrder(part, reads).filter((i) => complete[lost]! < invoke[i]!) as [number]
  return {
    type: 'lost-entry',
    operations: inOrder(part, [lost, read]),
    explain: ({ tell }) =>
      `${tell(lost)} had returned before ${tell(read)} began, which did not see its entry.`,
  }
}

/** Whether the appends without a known place can fill the offsets that nobody told of, in time. */
function fill(part: Part, { offsetOf, toldBy }: Positions): Decision {
  const { count, kind, a, b } = part
  const adds = new Uint8Array(count)
  const leaves = new Int32Array(count)
  const reaches = new Int32Array(count)
  const atMost = new Int32Array(count).fill(never)
  for (let i = 0; i < count; i += 1) {
    const length = part.lists === null ? 0 : part.lists.starts[i + 1]! - part.lists.starts[i]!
    switch (kind[i]!) {
      case logKind.append:
        adds[i] = 1
        leaves[i] = offsetOf[a[i]!]! + 1
        break
      case logKind.at:
        if (a[i] === none) atMost[i] = b[i]!
        else reaches[i] = b[i]! + 1
        break
      case logKind.tail:
        atMost[i] = b[i]!
        reaches[i] = b[i]!
        break
      case logKind.slice:
        reaches[i] = b[i]! + length
        break
      default:
        atMost[i] = length
        reaches[i] = length
    }
  }
  const growth: Growth = { adds, leaves, reaches, atMost }
  const stunted = grow(part, growth)
  if (stunted === null) return { valid: true }
  const why = blame(part, growth, stunted)
  return {
    valid: false,
    violation: {
      type: why.rule === 'short' ? 'gap' : 'impossible-length',
      operations: withTellers(part, { of: why.operations, toldBy }),
      explain: ({ tell }) => explain(why, tell),
    },
  }
}

function explain({ rule, operation, base, adds }: Blame, tell: (operation: number) => string): string {
  const told = tell(operation)
  const appends = `${adds} append${adds === 1 ? '' : 's'}`
  switch (rule) {
    case 'backward':
      return `${tell(base ?? operation)} had returned before ${told} began, which met a shorter log.`
    case 'passed':
      return `${base === null ? '' : `After ${tell(base)}, `}${appends} began and returned before ${told} began, which met too short a log.`
    case 'short':
      return `Only ${appends} can have come before the return of ${told}${base === null ? '' : ` and after ${tell(base)}`}: some offset is left empty.`
    case 'tangled':
      return `No order of the appends before it explains ${told} together with the other answers.`
  }
}
