import { allOf, AnomalyList } from '../anomaly-list.js'
import type { Checker, CheckInput } from '../checker.js'
import { defineChecker, type Judgement } from '../define.js'
import { finalReadsSchema, readFinals } from '../no-lost-ack/final-reads.js'
import { CounterBounds } from './bounds.js'
import { tooHigh, tooLow } from './explain.js'
import { readOptions, type CounterBoundsOptions } from './options.js'
import { countersOf, finalReadings, initOf, lastOf, type Reading } from './readings.js'

const scope = [
  'values within the bounds that no choice of the adds under way gives, and reads that go backwards within them',
  'adds of unknown outcome: whether they were lost or took effect',
]

/**
 * Every read of a counter lies between what had been acknowledged when it began and what may have been applied when it
 * returned, as in the counter check of Jepsen; decrements bound it the other way round, and adds of unknown outcome may
 * be there or not. It never flags a linearizable counter. A history without reads is valid, for none of them was wrong;
 * the evidence says that there were none. Throws DeclarationError when the options are wrong.
 */
export function counterBounds<Client = unknown>(options: CounterBoundsOptions<Client> = {}): Checker<Client> {
  const { final, reads } = readOptions(options)
  return defineChecker<Client>({
    name: 'counter',
    pattern: 12,
    options,
    needs: ['invoke_ts', 'complete_ts', 'op_type', 'timeout_marker'],
    scope: reads === 'final' ? [...scope, 'reads before the end'] : scope,
    ...(final === null ? {} : { collect: (context) => readFinals(context, final) }),
    // Mutants change reads of any time.
    forbids: reads === 'final' ? [] : undefined,
    judge: (input) => judge(input, { collects: final !== null, reads }),
  })
}

function judge(
  { operations, model, collected }: CheckInput,
  { collects, reads }: { collects: boolean; reads: 'all' | 'final' },
): Judgement {
  const init = initOf(model)
  const { counters, count } = countersOf(operations, model)
  const finals = collects ? (finalReadsSchema.safeParse(collected).data ?? []) : []
  const collectedOf = finalReadings(finals, init)
  const findings = new Findings(init)
  let unread = 0
  let finalReads = 0
  for (const [key, { additions, readings }] of counters) {
    const atTheEnd = collects ? (collectedOf.get(key) ?? []) : reads === 'final' ? lastOf(readings) : []
    finalReads += atTheEnd.length
    if ((collects || reads === 'final') && atTheEnd.length === 0) unread += 1
    const bounds = new CounterBounds(additions, init)
    if (reads === 'all') findings.note(readings, bounds)
    findings.note(atTheEnd, bounds)
  }
  const failedReads = collects ? finals.length - finalReads : 0
  const { low, high, judged, loose, widest, inexact } = findings
  return {
    consumed: count,
    ...allOf([low, high]),
    undecided: undecidedBecause({ inexact, unread, failedReads }),
    evidence: {
      ...{ counters: counters.size, reads: judged, finalReads, failedReads },
      ...{ tooLow: low.count, tooHigh: high.count, looseReads: loose, widestBounds: widest },
    },
  }
}

function undecidedBecause(counts: { inexact: number; unread: number; failedReads: number }): string | null {
  const { inexact, unread, failedReads } = counts
  if (failedReads > 0) return `${failedReads} final reads failed or answered with no whole number`
  if (unread > 0) return `${unread} counters were never read at the end`
  return inexact > 0
    ? `amounts add up to more than numbers hold exactly at ${inexact} reads: use smaller ones`
    : null
}

/** What the readings of all counters show. */
class Findings {
  readonly low = new AnomalyList()
  readonly high = new AnomalyList()
  judged = 0
  /** Readings whose bounds leave a choice, and the most that they leave. */
  loose = 0
  widest = 0
  /** Readings of counters whose sums may be rounded. */
  inexact = 0
  readonly #init: number

  constructor(init: number) {
    this.#init = init
  }

  note(readings: readonly Reading[], bounds: CounterBounds): void {
    if (!bounds.isExact) {
      this.inexact += readings.length
      return
    }
    for (const reading of readings) this.#judge(reading, bounds)
  }

  /** What an operation adds itself counts as begun and comes after the value that it met. */
  #judge(reading: Reading, bounds: CounterBounds): void {
    const { least, most } = bounds.during(reading.invoked, reading.completed)
    const lower = least - Math.min(reading.adds, 0)
    const upper = most - Math.max(reading.adds, 0)
    this.judged += 1
    if (upper > lower) this.loose += 1
    this.widest = Math.max(this.widest, upper - lower)
    const context = { bounds, init: this.#init }
    if (reading.value < lower) this.low.add(() => tooLow(reading, { ...context, bound: lower }))
    if (reading.value > upper) this.high.add(() => tooHigh(reading, { ...context, bound: upper }))
  }
}
