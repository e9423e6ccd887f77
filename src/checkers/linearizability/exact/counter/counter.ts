import { counterKind, never, type Decision, type ExactChecker, type Part } from '../../part.js'
import { inOrder } from '../in-order.js'
import { blame, type Blame } from './blame.js'
import { refuteByBounds } from './bounds.js'
import { grow, type Growth } from './growth.js'

/**
 * Counters to which every add adds the same amount: lazy earliest deadline first, exact, also with adds of unknown
 * outcome and with adds that answer the value. Different amounts are a subset-sum problem: then only the bounds of each
 * read are looked at. O(n log n).
 */
export const counterChecker: ExactChecker = {
  name: 'counter growth',
  object: 'counter',
  preconditions: 'every add adds the same amount',
  decide(part) {
    const unit = unitOf(part)
    if (unit === null) return refuteByBounds(part)
    return decideByUnit(part, unit)
  },
}

/** The amount that every add adds; 1 when there is none, null when they differ. */
function unitOf({ count, kind, a }: Part): number | null {
  let unit = 0
  for (let i = 0; i < count; i += 1) {
    if (kind[i] === counterKind.read) continue
    if (unit === 0) unit = a[i]!
    else if (a[i] !== unit) return null
  }
  return unit === 0 ? 1 : unit
}

function decideByUnit(part: Part, unit: number): Decision {
  const { count, kind, a, b } = part
  const adds = new Uint8Array(count)
  const leaves = new Int32Array(count)
  const reaches = new Int32Array(count)
  const atMost = new Int32Array(count)
  let total = 0
  for (let i = 0; i < count; i += 1) if (kind[i] !== counterKind.read) total += 1
  /** For each number the operation that left it, counted from 1. */
  const owner = new Int32Array(total + 1)

  for (let i = 0; i < count; i += 1) {
    const what = kind[i]
    adds[i] = what === counterKind.read ? 0 : 1
    atMost[i] = never
    if (what === counterKind.add) continue
    const seen = what === counterKind.read ? a[i]! : b[i]!
    const number = unit === 1 ? seen : seen / unit
    const least = adds[i]!
    if (!Number.isInteger(number) || number < least || number > total) return impossible(part, i, unit)
    if (what === counterKind.read) {
      reaches[i] = number
      atMost[i] = number
      continue
    }
    const other = owner[number]!
    if (other > 0) return sameAnswer(part, other - 1, i)
    owner[number] = i + 1
    leaves[i] = number
  }

  const growth: Growth = { adds, leaves, reaches, atMost }
  const stunted = grow(part, growth)
  if (stunted === null) return { valid: true }
  const why = blame(part, growth, stunted)
  return {
    valid: false,
    violation: {
      type: typeOf[why.rule],
      operations: why.operations,
      explain: ({ tell }) => explain(why, tell),
    },
  }
}

const typeOf = {
  backward: 'counter-went-back',
  passed: 'lost-increment',
  short: 'phantom-increment',
  tangled: 'impossible-count',
} as const

function explain({ rule, operation, base, adds }: Blame, tell: (operation: number) => string): string {
  const told = tell(operation)
  const since = base === null ? '' : `After ${tell(base)}, `
  switch (rule) {
    case 'backward':
      return `${tell(base ?? operation)} had returned before ${told} began, which saw less: no add takes the counter back.`
    case 'passed':
      return `${since}${counted(adds, 'add')} began and returned before ${told} began: it saw too few.`
    case 'short':
      return base === null
        ? `Only ${counted(adds, 'add')} had begun before ${told} returned: it saw too many.`
        : `${tell(base)} began when the counter was still there, and only ${counted(adds, 'add')} can have come between that and the return of ${told}: it saw too many.`
    case 'tangled':
      return `No order of the adds before it explains ${told} together with the other answers.`
  }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function impossible(part: Part, operation: number, unit: number): Decision {
  const by = unit === 1 ? 'one' : String(unit)
  return {
    valid: false,
    violation: {
      type: 'impossible-value',
      operations: inOrder(part, [operation]),
      explain: ({ tell }) =>
        `${tell(operation)} saw a value that the counter never has: all adds of the history add ${by}.`,
    },
  }
}

function sameAnswer(part: Part, one: number, other: number): Decision {
  return {
    valid: false,
    violation: {
      type: 'duplicate-value',
      operations: inOrder(part, [one, other]),
      explain: ({ tell }) => `${tell(one)} and ${tell(other)} cannot both have left the same value.`,
    },
  }
}
