import { mean, quantile, sampleWithReplacement } from 'simple-statistics'
import { z } from 'zod'
import { Random } from '../../random/random.js'
import { outcomeOf, type Operation } from '../../history/operation.js'
import { checkedOptions } from '../checked-options.js'
import type { Checker, CheckResult } from '../checker.js'
import { defineChecker } from '../define.js'
import { percentileOf, sortedLatencies } from './latencies.js'

export interface BaselineOptions {
  /** What is compared: a percentile of latency in milliseconds, or acknowledged operations a second. */
  metric: { latency: number } | 'throughput'
  /** The same metric of earlier runs of the same workload on the same machine, one number a run; three or more. */
  baseline: readonly number[]
  /** Digest of the harness that measured the baseline, as its report gives it: without it no such pass is a hardened one. */
  harness?: string
  /** How much worse than the baseline is still fine, as a share. Default 0.1. */
  tolerance?: number
  /** Confidence of the interval. Default 0.95. */
  confidence?: number
}

const schema = z.strictObject({
  metric: z.union([z.strictObject({ latency: z.number().gt(0).max(100) }), z.literal('throughput')]),
  baseline: z.array(z.number().positive()).min(3, 'expected three or more runs'),
  harness: z.string().min(1).optional(),
  tolerance: z.number().min(0).optional(),
  confidence: z.number().gt(0.5).lt(1).optional(),
})

const fewestRuns = 3
const resamples = 5_000
const name = 'baseline'
const scope = [
  'a baseline that was measured on another machine or with another workload',
  'whether the answers are right, and a slow start that both share',
]

/**
 * Compares a metric of all runs of the scenario with that of earlier runs: the ratio of the means, with a bootstrap
 * confidence interval over runs (Efron's percentile interval, 5,000 resamples of both sides by a fixed seed).
 *
 * Worse for certain is a violation; an interval that covers the tolerance stays unknown. Each run is one sample, so three
 * seeds are the least. Throws DeclarationError when the options are wrong.
 */
export function baseline(options: BaselineOptions): Checker {
  const {
    metric,
    tolerance = 0.1,
    confidence = 0.95,
    baseline: earlier,
    harness,
  } = checkedOptions(options, {
    checker: name,
    factory: 'baseline',
    schema,
    example: 'baseline({ metric: { latency: 99 }, baseline: [12.1, 11.8, 12.4] })',
  })
  return defineChecker({
    name,
    pattern: 5,
    needs: ['invoke_ts', 'complete_ts'],
    scope,
    comparedWith: harness,
    // What it compares with is no part of how it judges.
    options: { metric, tolerance, confidence },
    judge: ({ operations }) => {
      const value =
        metric === 'throughput'
          ? throughputOf(operations)
          : percentileOf(sortedLatencies(operations), metric.latency)
      const measured = Number.isFinite(value)
      return {
        consumed: operations.length,
        anomalies: [],
        undecided: measured ? null : 'the metric has no finite value: too few operations were answered',
        evidence: measured ? { value } : {},
      }
    },
    acrossRuns: (results) =>
      compare(results, { earlier, tolerance, confidence, lowerIsBetter: metric !== 'throughput' }),
  })
}

function throughputOf(operations: readonly Operation[]): number {
  let [begin, end, answered] = [Infinity, -Infinity, 0]
  for (const operation of operations) {
    begin = Math.min(begin, operation.invoke_ts)
    end = Math.max(end, operation.complete_ts ?? operation.invoke_ts)
    if (outcomeOf(operation) === 'ok') answered += 1
  }
  return answered / ((end - begin) / 1e9)
}

interface Comparison {
  readonly earlier: readonly number[]
  readonly tolerance: number
  readonly confidence: number
  readonly lowerIsBetter: boolean
}

function compare(results: readonly CheckResult[], comparison: Comparison): CheckResult {
  const startedAt = performance.now()
  const { earlier, tolerance, lowerIsBetter } = comparison
  const values = results.flatMap(({ evidence }) => evidence['value'] ?? [])
  const result = (valid: CheckResult['valid'], rest: Partial<CheckResult> = {}): CheckResult => ({
    checker: name,
    model: results[0]?.model ?? null,
    valid,
    reason: null,
    operations: results.reduce((sum, { operations }) => sum + operations, 0),
    coverage: 'all',
    evidence: { runs: values.length, earlierRuns: earlier.length },
    anomalies: [],
    scope: [...scope],
    ms: performance.now() - startedAt,
    ...rest,
  })
  if (values.length < fewestRuns) {
    return result('unknown', {
      reason: `${values.length} runs were measured, ${fewestRuns} are the least: raise \`seeds\` of the budget`,
    })
  }
  const [low, high] = intervalOf(values, comparison)
  const ratio = mean(values) / mean([...earlier])
  const evidence = { runs: values.length, earlierRuns: earlier.length, ratio, low, high }
  const worse = lowerIsBetter ? low > 1 + tolerance : high < 1 - tolerance
  const fine = lowerIsBetter ? high <= 1 + tolerance : low >= 1 - tolerance
  const interval = `${short(ratio)} of the baseline, with an interval of ${short(low)} to ${short(high)}`
  if (worse) {
    return result(false, {
      evidence,
      anomalies: [
        {
          type: 'worse-than-baseline',
          explanation: `The metric is ${interval} over ${values.length} runs; ${lowerIsBetter ? 'at most' : 'at least'} ${short(lowerIsBetter ? 1 + tolerance : 1 - tolerance)} is fine.`,
          operations: [],
        },
      ],
    })
  }
  if (fine) return result(true, { evidence })
  return result('unknown', {
    evidence,
    reason: `the metric is ${interval}, which decides nothing: more runs would`,
  })
}

/** The percentile interval of the ratio of means. */
function intervalOf(values: readonly number[], { earlier, confidence }: Comparison): [number, number] {
  const random = new Random(0)
  const draw = () => random.float()
  const [ours, theirs] = [[...values], [...earlier]]
  const ratios = Array.from(
    { length: resamples },
    () =>
      mean(sampleWithReplacement(ours, ours.length, draw)) /
      mean(sampleWithReplacement(theirs, theirs.length, draw)),
  )
  const tail = (1 - confidence) / 2
  return [quantile(ratios, tail), quantile(ratios, 1 - tail)]
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)))
}
