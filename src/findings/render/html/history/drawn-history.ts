import type { Columns } from '../../../../history/columns.js'
import type { Operation, Outcome } from '../../../../history/operation.js'
import type { FaultWindow } from '../../../../nemesis/evidence.js'
import { binsOf, type Bin } from './bins.js'
import { lanesOf, type Lane } from './lanes.js'
import { sampleOf, type Sample } from './sample.js'

/** An operation that is drawn. */
export interface DrawnOperation {
  readonly operation: Operation
  /** Place of its lane among the lanes of the history. */
  readonly lane: number
  /** It is part of the counterexample. */
  readonly isCore: boolean
}

/** What is drawn of a run: its whole history in numbers, and some of its operations themselves. */
export interface DrawnHistory {
  /** Operations in all, by outcome. */
  readonly counts: Readonly<Record<Outcome, number>>
  /** Nanoseconds from the run's start to the last thing that happened. */
  readonly end: number
  readonly lanes: readonly Lane[]
  readonly bins: readonly Bin[]
  readonly operations: readonly DrawnOperation[]
  readonly thinned: Sample['thinned']
}

interface DrawOptions {
  readonly faults: readonly FaultWindow[]
  /** Ids of the operations of the counterexample, as text: they are drawn in any case. */
  readonly core: ReadonlySet<string>
  /** About how many operations to draw at most. */
  readonly most: number
}

/** Reduces a history, however long, to what a page can show. */
export function drawHistory(columns: Columns, { faults, core, most }: DrawOptions): DrawnHistory {
  const moments = faults.flatMap(momentsOf)
  const end = Math.max(1, lastMoment(columns), ...moments)
  const bins = binsOf(columns, end)
  const { lanes, laneOf } = lanesOf(columns)
  const coreAt = core.size === 0 ? [] : placesOf(columns, core)
  const isCore = new Set(coreAt)
  const { indices, thinned } = sampleOf(columns, { bins, moments, core: coreAt, most })
  return {
    counts: {
      ok: lanes.reduce((sum, { ok }) => sum + ok, 0),
      failed: lanes.reduce((sum, { failed }) => sum + failed, 0),
      unknown: lanes.reduce((sum, { unknown }) => sum + unknown, 0),
    },
    end,
    lanes,
    bins,
    operations: indices.map((index) => ({
      operation: columns.operationAt(index),
      lane: laneOf[columns.process[index]!]!,
      isCore: isCore.has(index),
    })),
    thinned,
  }
}

function momentsOf({ injected_ts, landed_ts, healed_ts }: FaultWindow): number[] {
  return [injected_ts, landed_ts, healed_ts].filter((moment) => moment !== null)
}

function lastMoment(columns: Columns): number {
  let last = 0
  for (let index = 0; index < columns.count; index += 1) {
    last = Math.max(last, columns.completedAt(index) ?? columns.invokedAt(index))
  }
  return last
}

function placesOf(columns: Columns, ids: ReadonlySet<string>): number[] {
  const places: number[] = []
  for (let index = 0; index < columns.count; index += 1) {
    if (ids.has(String(columns.idAt(index)))) places.push(index)
  }
  return places
}
