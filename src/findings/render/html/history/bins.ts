import { percentileOf } from '../../../../checkers/objectives/latencies.js'
import { outcomeCode, type Columns } from '../../../../history/columns.js'
import type { Outcome } from '../../../../history/operation.js'

const binsMost = 60

/** A stretch of a run, in nanoseconds from its start, and what came to an end in it. */
export interface Bin extends Readonly<Record<Outcome, number>> {
  readonly from: number
  readonly to: number
  /** Milliseconds from invocation to answer of those that ended ok in it; null without any. */
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
  readonly max: number | null
  /** Places of the slowest that ended ok in it; null without any. */
  readonly slowest: number | null
}

/**
 * The whole history in at most 60 stretches of equal and round length, of which the last may be shorter. Operations
 * count where they were answered, those of unknown outcome where they began. All operations count, none is left out.
 */
export function binsOf(columns: Columns, end: number): Bin[] {
  const width = roundWidth(end / binsMost)
  const bins = Math.max(1, Math.ceil(end / width))
  const counts = { ok: new Int32Array(bins), failed: new Int32Array(bins), unknown: new Int32Array(bins) }
  const binAt = (time: number) => Math.min(bins - 1, Math.floor(time / width))
  for (let index = 0; index < columns.count; index += 1) {
    counts[outcomeAt(columns, index)][binAt(endOf(columns, index))]! += 1
  }
  const latencies = Array.from(counts.ok, (count) => new Float64Array(count))
  const filled = new Int32Array(bins)
  const slowest = new Int32Array(bins).fill(-1)
  const longest = new Float64Array(bins).fill(-1)
  for (let index = 0; index < columns.count; index += 1) {
    if (columns.outcome[index] !== outcomeCode.ok) continue
    const completed = endOf(columns, index)
    const bin = binAt(completed)
    const latency = (completed - columns.invokedAt(index)) / 1e6
    latencies[bin]![filled[bin]!++] = latency
    if (latency > longest[bin]!) {
      longest[bin] = latency
      slowest[bin] = index
    }
  }
  return latencies.map((unsorted, bin) => {
    const sorted = unsorted.sort()
    const at = (percentile: number) => (sorted.length === 0 ? null : percentileOf(sorted, percentile))
    return {
      from: bin * width,
      to: Math.min((bin + 1) * width, end),
      ok: counts.ok[bin]!,
      failed: counts.failed[bin]!,
      unknown: counts.unknown[bin]!,
      p50: at(50),
      p95: at(95),
      p99: at(99),
      max: at(100),
      slowest: slowest[bin] === -1 ? null : slowest[bin]!,
    }
  })
}

/** What is known of an operation's effect, by its place. */
export function outcomeAt(columns: Columns, index: number): Outcome {
  const code = columns.outcome[index]
  if (code === outcomeCode.unknown) return 'unknown'
  return code === outcomeCode.ok ? 'ok' : 'failed'
}

function endOf(columns: Columns, index: number): number {
  return columns.completedAt(index) ?? columns.invokedAt(index)
}

/** The next of 1, 2, 5, 10, 20, … milliseconds, in nanoseconds. */
function roundWidth(least: number): number {
  let unit = 1e6
  for (;;) {
    for (const factor of [1, 2, 5]) if (unit * factor >= least) return unit * factor
    unit *= 10
  }
}
