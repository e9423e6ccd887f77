import { z } from 'zod'
import { allOf } from '../anomaly-list.js'
import { checkedOptions } from '../checked-options.js'
import type { Checker, CheckInput } from '../checker.js'
import { defineChecker, type Judgement } from '../define.js'
import { PartValueIds } from '../linearizability/encode-values.js'
import { FullFindings } from './full-judge.js'
import { setHistoryOf } from './set-operations.js'
import { timelinesOf } from './set-timeline.js'

export interface SetFullOptions {
  /** Whether an element that is known must be in every read that begins later. Default false: it may take a while. */
  readonly linearizable?: boolean
}

const optionsSchema = z.strictObject({ linearizable: z.boolean().optional() })

/**
 * For each element when it was known and what became of it, from reads of the whole set during the run, and lookups of
 * single elements, which count as reads of them; after the set-full analysis of Jepsen.
 *
 * An element is known from the earliest return of an acknowledged add of it or a read that holds it. It is lost when the
 * last read that began after that lacks it and no read that began as late holds it; stale when some read that began
 * after that lacks it, and one that began no earlier than the last such read holds it; never read when no read began
 * after it was known, or it never was. Lost elements, elements that a read lists twice, and elements that no operation
 * may have added before a read that holds them make the history invalid; stale ones do so with `linearizable`. The answer
 * is unknown when no element was stable. Elements with a removal that may have happened are only held against being
 * read before they were added. Throws DeclarationError when the options are wrong.
 */
export function setFull(options: SetFullOptions = {}): Checker<unknown> {
  const { linearizable = false } = checkedOptions(options, {
    checker: 'set-full',
    factory: 'setFull',
    schema: optionsSchema,
    example: 'setFull(), or setFull({ linearizable: true })',
  })
  return defineChecker({
    name: 'set-full',
    pattern: 10,
    options,
    needs: ['invoke_ts', 'complete_ts', 'op_type', 'timeout_marker'],
    scope: [
      ...(linearizable ? [] : ['reads that are merely late: setFull({ linearizable: true }) finds them']),
      'reads that hold elements in contradictory orders, such as {1} and {2} at one time',
      'elements that may have been removed, but for being read too early',
      'elements that were lost and added again',
    ],
    judge: (input) => judge(input, linearizable),
  })
}

function judge({ operations, model, columns }: CheckInput, linearizable: boolean): Judgement {
  const { sets, initial, count } = setHistoryOf(operations, model)
  const ids = new PartValueIds()
  const findings = new FullFindings()
  let reads = 0
  let lookups = 0
  for (const set of sets) {
    reads += set.reads.length
    lookups += set.lookups.length
    for (const timeline of timelinesOf(ids, set, initial)) findings.note(set, timeline)
  }
  const { lost, unexpected, duplicated, stale, staleNs, stable, neverRead, removed } = findings
  return {
    consumed: count,
    ...allOf([lost, ...(linearizable ? [stale] : []), unexpected, duplicated]),
    undecided: stable > 0 ? null : undecidedBecause({ reads: reads + lookups, neverRead }),
    evidence: {
      ...{ sets: sets.length, reads, lookups, stable, lost: lost.count, stale: stale.count, neverRead },
      ...{ unexpected: unexpected.count, duplicated: duplicated.count, removed },
      ...(columns?.hasTimes === false ? {} : windows(staleNs)),
    },
  }
}

function undecidedBecause({ reads, neverRead }: { reads: number; neverRead: number }): string | null {
  if (reads === 0) return 'no read of a set was answered: read it now and then'
  return `no element was known and then read; of ${neverRead} no read began after they were known`
}

function windows(staleNs: number[]): { staleP50Ms: number; staleMaxMs: number } {
  const sorted = Float64Array.from(staleNs).sort()
  const ms = (place: number) => (sorted[place] ?? 0) / 1e6
  return { staleP50Ms: ms(Math.floor(sorted.length / 2)), staleMaxMs: ms(sorted.length - 1) }
}
