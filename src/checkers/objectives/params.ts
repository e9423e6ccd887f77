import { DeclarationError } from '../../errors.js'
import type { Json } from '../../json.js'
import type { FairnessOptions } from './fairness.js'
import type { SloOptions } from './slo.js'

type Params = Readonly<Record<string, Json>>

/**
 * An objective as an index file writes it: `{ "metric": "latency", "percentile": 99, "maxMs": 500, "window": "fault" }`,
 * `{ "metric": "throughput", "minPerSecond": 100 }` or `{ "metric": "errors", "maxShare": 0.01 }`. The options of
 * `slo()` themselves are taken as well. Throws DeclarationError for a metric that there is not.
 */
export function sloOptionsOf(params: Params): SloOptions {
  const { metric, percentile, maxMs, minPerSecond, maxShare, ...options } = params
  if (metric === undefined) return options
  if (metric === 'latency') return { ...options, latency: { percentile, atMost: maxMs } } as SloOptions
  if (metric === 'throughput') return { ...options, throughput: { atLeast: minPerSecond } } as SloOptions
  if (metric === 'errors') return { ...options, errors: { atMost: maxShare } } as SloOptions
  throw new DeclarationError(
    'slo',
    `metric is ${JSON.stringify(metric)}; expected latency, throughput or errors`,
  )
}

/**
 * A formula as an index file writes it: `{ "groupBy": "key", "formula": "worst group p50 / aggregate p50", "threshold": 3 }`,
 * or with the formulas `min group throughput` and `max group error rate`. The options of `fairness()` themselves are
 * taken as well. Throws DeclarationError for a formula that there is not.
 */
export function fairnessOptionsOf(params: Params): FairnessOptions {
  const { formula, threshold, ...options } = params
  if (formula === undefined) return options
  const ratio = /^worst group p(\d+(?:\.\d+)?) \/ aggregate p\1$/.exec(String(formula))
  if (ratio !== null) {
    return {
      ...options,
      worstToAggregate: { percentile: Number(ratio[1]), atMost: threshold },
    } as FairnessOptions
  }
  if (formula === 'min group throughput') return { ...options, minThroughput: threshold } as FairnessOptions
  if (formula === 'max group error rate') return { ...options, maxErrorRate: threshold } as FairnessOptions
  throw new DeclarationError('fairness', `there is no formula ${JSON.stringify(formula)}`, {
    hint: 'worst group pN / aggregate pN, min group throughput, max group error rate',
  })
}
