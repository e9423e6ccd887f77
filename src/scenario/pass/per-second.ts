import { percentileOf, sortedLatencies } from '../../checkers/objectives/latencies.js'
import { outcomeOf, type Operation } from '../../history/operation.js'
import type { MetricsSecond } from '../../session/metrics-record.js'

interface Bucket {
  readonly ok: Operation[]
  failed: number
  unknown: number
}

/** Throughput and latency of every second of a history, also of those in which nothing was answered. */
export function perSecond(operations: readonly Operation[]): MetricsSecond[] {
  const buckets: Bucket[] = []
  for (const operation of operations) {
    const second = Math.floor((operation.complete_ts ?? operation.invoke_ts) / 1e9)
    while (buckets.length <= second) buckets.push({ ok: [], failed: 0, unknown: 0 })
    const bucket = buckets[second] as Bucket
    const outcome = outcomeOf(operation)
    if (outcome === 'ok') bucket.ok.push(operation)
    else bucket[outcome] += 1
  }
  return buckets.map(({ ok, failed, unknown }, second) => {
    const sorted = sortedLatencies(ok)
    const at = (percentile: number) => (ok.length === 0 ? null : percentileOf(sorted, percentile))
    return { second, ok: ok.length, failed, unknown, p50: at(50), p99: at(99) }
  })
}
