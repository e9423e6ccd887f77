import type { Outcome } from '../history/operation.js'
import type { LoadSlice } from '../session/observation-record.js'

/** An operation of a workload, in nanoseconds of the run's clock. */
export interface StartedOperation {
  readonly intended: number
  readonly invoked: number
  /** Null while it is in flight. */
  outcome: Outcome | null
}

export interface SlicesOptions {
  readonly startedAt: number
  readonly endedAt: number
  /** True when operations start by a schedule, so that there are intended starts. */
  readonly open: boolean
  /** Intended starts that no client was free for. */
  readonly unstarted: readonly number[]
}

const slicesMost = 20
const shortestMs = 100

/**
 * The load of a workload phase in slices of equal length: 20, or fewer so that each lasts 100 ms or longer.
 *
 * An operation counts as intended in the slice of its intended start, and as invoked, with its outcome, in the slice of
 * its invocation.
 */
export function loadSlices(operations: readonly StartedOperation[], options: SlicesOptions): LoadSlice[] {
  const { startedAt, endedAt, open } = options
  const lengthMs = (endedAt - startedAt) / 1e6
  if (lengthMs <= 0) return []
  const count = Math.min(slicesMost, Math.max(1, Math.floor(lengthMs / shortestMs)))
  const sliceMs = lengthMs / count
  const slices = Array.from({ length: count }, (_, index): Counted => ({
    fromMs: index * sliceMs,
    toMs: (index + 1) * sliceMs,
    intended: 0,
    invoked: 0,
    ok: 0,
    failed: 0,
    unknown: 0,
  }))
  const at = (time: number) => {
    const index = Math.floor((time - startedAt) / 1e6 / sliceMs)
    return slices[Math.min(count - 1, Math.max(0, index))] as Counted
  }
  for (const { intended, invoked, outcome } of operations) {
    at(intended).intended += 1
    at(invoked).invoked += 1
    if (outcome !== null) at(invoked)[outcome] += 1
  }
  for (const intended of options.unstarted) at(intended).intended += 1
  return slices.map((slice) => ({ ...slice, intended: open ? slice.intended : null }))
}

type Counted = { -readonly [Field in keyof LoadSlice]: NonNullable<LoadSlice[Field]> }
