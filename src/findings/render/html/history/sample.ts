import type { Columns } from '../../../../history/columns.js'
import type { Outcome } from '../../../../history/operation.js'
import { reading } from '../../words.js'
import { outcomeAt, type Bin } from './bins.js'

const outcomes = ['ok', 'failed', 'unknown'] as const
/** Of the operations nearest to a moment of a fault, so many are kept where there is room, and so many in any case. */
const nearMost = 40
const nearLeast = 2
/** At most this share of the room goes to what is near faults, and to each outcome but ok. */
const share = 1 / 4

/** Which operations of a history are drawn. */
export interface Sample {
  /** Places in order of invocation. */
  readonly indices: readonly number[]
  /** How they were chosen; null when all are drawn. */
  readonly thinned: {
    /** Kept around each moment at which a fault was injected, landed or healed. */
    readonly nearFaults: number
    /** The others: one of so many is drawn; 0 where there are none. */
    readonly oneOf: Readonly<Record<Outcome, number>>
  } | null
}

interface SampleOptions {
  readonly bins: readonly Bin[]
  /** Moments of the faults in nanoseconds. */
  readonly moments: readonly number[]
  /** Places of operations that are drawn in any case. */
  readonly core: readonly number[]
  readonly most: number
}

/**
 * At most about `most` operations: always those of `core`, those nearest to the moments of the faults and the slowest of
 * every bin; of the others one of so many, of each outcome by itself, so that the rare ones do not get lost.
 */
export function sampleOf(columns: Columns, { bins, moments, core, most }: SampleOptions): Sample {
  if (columns.count <= most) {
    return { indices: Array.from({ length: columns.count }, (_, index) => index), thinned: null }
  }
  const room = Math.floor((most * share) / Math.max(1, moments.length))
  const nearFaults = Math.min(nearMost, Math.max(nearLeast, room))
  const kept = new Set(core)
  for (const moment of moments) for (const index of nearest(columns, moment, nearFaults)) kept.add(index)
  for (const { slowest } of bins) if (slowest !== null) kept.add(slowest)

  const counts = { ok: 0, failed: 0, unknown: 0 }
  for (let index = 0; index < columns.count; index += 1) {
    if (!kept.has(index)) counts[outcomeAt(columns, index)] += 1
  }
  const rest = Math.max(0, most - kept.size)
  const oneOf = {
    failed: stepFor(counts.failed, rest * share),
    unknown: stepFor(counts.unknown, rest * share),
    ok: 0,
  }
  const taken =
    Math.floor(counts.failed / (oneOf.failed || 1)) + Math.floor(counts.unknown / (oneOf.unknown || 1))
  oneOf.ok = stepFor(counts.ok, rest - taken)
  const seen = { ok: 0, failed: 0, unknown: 0 }
  const chosen: number[] = []
  for (let index = 0; index < columns.count; index += 1) {
    const outcome = outcomeAt(columns, index)
    if (kept.has(index) || seen[outcome]++ % oneOf[outcome] === 0) chosen.push(index)
  }
  return { indices: chosen, thinned: { nearFaults, oneOf } }
}

/** How an honest caption says which operations are drawn; null when all are. */
export function sampleInWords(thinned: Sample['thinned'], hasCore: boolean): string | null {
  if (thinned === null) return null
  const { nearFaults, oneOf } = thinned
  const others = outcomes.flatMap((outcome) => {
    if (oneOf[outcome] === 0) return []
    const which = oneOf[outcome] === 1 ? 'all' : `one of ${reading(oneOf[outcome])}`
    return [`${which} of the others that are ${outcome}`]
  })
  const isEven = new Set(others.map((words) => words.replace(/ of the others.*/, ''))).size <= 1
  return [
    ...(hasCore ? ['those of the counterexample'] : []),
    `the ${nearFaults} nearest to each moment at which a fault was injected, landed or was healed`,
    'the slowest of every stretch of time',
    `${others.join(', ')}${isEven ? '' : ', so that rare outcomes look more frequent than they are'}`,
  ].join('; ')
}

/** The least whole step that takes at most `room` of `count`; 0 when there are none. */
function stepFor(count: number, room: number): number {
  if (count === 0) return 0
  return room < 1 ? count : Math.ceil(count / room)
}

/** The operations whose invocations are nearest to a moment: half of them before it, half after. */
function nearest(columns: Columns, moment: number, many: number): number[] {
  let [from, to] = [0, columns.count]
  while (from < to) {
    const middle = (from + to) >> 1
    if (columns.invokedAt(middle) < moment) from = middle + 1
    else to = middle
  }
  const first = Math.max(0, from - (many >> 1))
  const length = Math.min(columns.count, first + many) - first
  return Array.from({ length }, (_, offset) => first + offset)
}
