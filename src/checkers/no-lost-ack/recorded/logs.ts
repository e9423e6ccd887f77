import type { Operation } from '../../../history/operation.js'
import { AnomalyList, allOf } from '../../anomaly-list.js'
import type { CheckInput } from '../../checker.js'
import type { Judgement } from '../../define.js'
import { logHistory, type Append, type LogOfKey, type LogRead } from '../../logs/log-history.js'
import { OffsetList } from '../../logs/offset-list.js'
import { returned } from '../../queues/accounts.js'
import { inOrder } from '../../queues/strays.js'
import type { ValueKey } from '../../queues/value-key.js'
import { tell } from '../../words.js'

/**
 * Judges logs by the reads that pass an entry: reads of the whole log, and those from its offset or before that show one
 * at or beyond it. An acknowledged entry is lost when such a read, begun after the append had returned, does not show it
 * and no read shows it from then on. Entries that no such read passes are unread.
 */
export function judgeRecordedLogs(input: CheckInput): Judgement {
  const { logs, count } = logHistory(input)
  const lost = new AnomalyList()
  const counts = { acknowledged: 0, unknown: 0, failed: 0, unread: 0, finalReads: 0 }
  for (const log of logs) {
    const passes = new Passes(log)
    for (const append of log.appends) {
      counts[append.acknowledged ? 'acknowledged' : 'unknown'] += 1
      if (!append.acknowledged) continue
      const { operation } = append
      const last = passes.lastPast(append)
      if (last === null || last.invoke_ts <= returned(operation)) counts.unread += 1
      else if (last.invoke_ts > passes.shownUntil(append)) lost.add(() => lossAnomaly(append, last))
    }
    counts.failed += log.failedAppends.length
    counts.finalReads += log.reads.length
  }
  return {
    consumed: count,
    ...allOf([lost]),
    undecided: undecidedBy(counts),
    evidence: { ...counts, lost: lost.count, keysRead: logs.length },
  }
}

function undecidedBy({ acknowledged, unread }: { acknowledged: number; unread: number }): string | null {
  if (acknowledged === 0) return 'no entry was acknowledged, so none could be lost'
  if (unread === 0) return null
  return `${unread} acknowledged entries are not passed by any read that began after their append had returned`
}

function lossAnomaly({ operation, offset }: Append, read: Operation) {
  const where = offset === null ? '' : ` at offset ${offset}`
  return {
    type: 'lost-acknowledged-entry',
    explanation: `${tell(operation)} was acknowledged${where}, and ${tell(read)} passes it without showing it, as does every later read`,
    operations: inOrder([operation, read]),
  }
}

/** Which reads of one log show or pass an entry. */
class Passes {
  /** By when the last read that shows the entry had returned: by offset of what answered one, else by value. */
  readonly #shownAt = new Map<number, { readonly value: ValueKey; until: number }[]>()
  readonly #shown = new Map<ValueKey, { until: number; last: Operation }>()
  /** The last to begin of the reads by offset that pass each answered offset. */
  readonly #past = new Map<number, Operation>()
  readonly #wholeRead: Operation | null

  constructor({ appends, reads }: LogOfKey) {
    const answered = new Set(appends.flatMap(({ offset }) => (offset === null ? [] : [offset])))
    const open = new OffsetList(answered)
    const latestFirst = reads.toSorted((a, b) => b.operation.invoke_ts - a.operation.invoke_ts)
    this.#wholeRead = latestFirst.find(({ isList }) => isList)?.operation ?? null
    for (const read of latestFirst) {
      this.#show(read, answered)
      if (read.isList || read.values === null) continue
      let high = -1
      for (const offset of read.offsets) {
        high = Math.max(high, offset)
        for (const at of open.take(offset, offset)) this.#past.set(at, read.operation)
      }
      const low = read.from ?? read.offsets.reduce((least, offset) => Math.min(least, offset), Infinity)
      for (const offset of open.take(low, high)) this.#past.set(offset, read.operation)
    }
  }

  #show({ operation, offsets, values }: LogRead, answered: ReadonlySet<number>): void {
    const until = returned(operation)
    for (const [i, value] of (values ?? []).entries()) {
      const offset = offsets[i] as number
      if (answered.has(offset)) {
        const there = this.#shownAt.get(offset) ?? []
        const same = there.find((one) => one.value === value)
        if (same === undefined) this.#shownAt.set(offset, [...there, { value, until }])
        else same.until = Math.max(same.until, until)
      }
      const shown = this.#shown.get(value)
      if (shown === undefined) this.#shown.set(value, { until, last: operation })
      else shown.until = Math.max(shown.until, until)
    }
  }

  /** The last to begin of the reads that pass the entry; null when none does. */
  lastPast({ value, offset }: Append): Operation | null {
    const byOffset =
      offset === null ? (this.#shown.get(value)?.last ?? null) : (this.#past.get(offset) ?? null)
    const whole = this.#wholeRead
    if (byOffset === null || whole === null) return byOffset ?? whole
    return byOffset.invoke_ts >= whole.invoke_ts ? byOffset : whole
  }

  /** By when the last read that shows the entry had returned; before all time when none does. */
  shownUntil({ value, offset }: Append): number {
    if (offset === null) return this.#shown.get(value)?.until ?? -1
    return this.#shownAt.get(offset)?.find((one) => one.value === value)?.until ?? -1
  }
}
