import { z } from 'zod'
import type { Operation } from '../../history/operation.js'
import { AnomalyList, allOf } from '../anomaly-list.js'
import type { Checker, CheckInput } from '../checker.js'
import { checkedOptions } from '../checked-options.js'
import { defineChecker, type Judgement } from '../define.js'
import { inOrder, valueOf } from '../queues/strays.js'
import type { ValueKey } from '../queues/value-key.js'
import { tell } from '../words.js'
import { holesOf } from './holes.js'
import { logHistory, type Append, type LogOfKey } from './log-history.js'
import { OffsetClaims, type Claim } from './offset-claims.js'
import { OffsetList } from './offset-list.js'
import { unassignedOf } from './unassigned.js'

export interface LogOffsetsOptions {
  /**
   * `none` (default): offsets follow one another, in the log and in each answer. `allowed`: some hold no entry, as with
   * transactions or compaction.
   */
  readonly gaps?: 'none' | 'allowed'
}

const schema = z.strictObject({ gaps: z.enum(['none', 'allowed']).default('none') })

/**
 * Each offset of a log belongs to one append and holds one entry for ever; an acknowledged append is found at its offset
 * by every read that passes it; and, with `gaps: 'none'`, no offset is left out.
 *
 * A read passes the offsets from the position asked for up to the highest that it answers; it may always end early, and
 * show the log as it was before. Appends of unknown outcome may have any offset that is free, or none. See `logHistory`
 * for the operations that it reads. Throws DeclarationError when the options are wrong.
 */
export function logOffsets(options: LogOffsetsOptions = {}): Checker {
  const rules = checkedOptions(options, {
    checker: 'log-offsets',
    factory: 'logOffsets',
    schema,
    example: "logOffsets({ gaps: 'allowed' })",
  })
  return defineChecker({
    name: 'log-offsets',
    pattern: 10,
    options,
    needs: ['invoke_ts', 'complete_ts', 'op_type', 'output'],
    scope: [
      'losses at the end of a log: reads may be of any prefix',
      'whether offsets grow with time, and in which order records are answered (prefix-order does)',
      'one entry at two offsets (no-duplicates does) and entries that nobody appended (no-unexpected does)',
      'records that lie before the first one of an answer, unless their append was acknowledged',
    ],
    judge: (input) => judge(input, rules),
  })
}

interface Found {
  readonly reused: AnomalyList
  readonly unreadable: AnomalyList
  readonly repeated: AnomalyList
  readonly gaps: AnomalyList
}

function judge(input: CheckInput, { gaps }: { gaps: 'none' | 'allowed' }): Judgement {
  const { logs, initial, count } = logHistory(input)
  const found: Found = {
    reused: new AnomalyList(),
    unreadable: new AnomalyList(),
    repeated: new AnomalyList(),
    gaps: new AnomalyList(),
  }
  const counts = { logs: logs.length, offsets: 0, answered: 0, reads: 0, records: 0 }
  for (const log of logs) {
    const appendAt = new Map<number, Append>()
    const claims = claimsOf(log, { initial, appendAt, found })
    judgeReads(log, { appendAt, gaps, found })
    if (gaps === 'none') judgeGaps(log, claims, found.gaps)
    counts.offsets += claims.size
    counts.answered += appendAt.size
    for (const { offsets, values } of log.reads) {
      if (values === null) continue
      counts.reads += 1
      counts.records += offsets.length
    }
  }
  return {
    consumed: counts.answered + counts.records === 0 ? 0 : count,
    ...allOf([found.reused, found.unreadable, found.repeated, found.gaps]),
    evidence: {
      ...counts,
      reused: found.reused.count,
      unreadable: found.unreadable.count,
      repeated: found.repeated.count,
      gaps: found.gaps.count,
    },
  }
}

/** What is said to be where: at first, by appends and by reads. Finds offsets that were given twice. */
function claimsOf(
  { appends, reads }: LogOfKey,
  { initial, appendAt, found }: { initial: readonly ValueKey[]; appendAt: Map<number, Append>; found: Found },
): OffsetClaims {
  const claims = new OffsetClaims()
  for (const [offset, value] of initial.entries()) claims.add(offset, { value, by: null })
  for (const append of appends) {
    const { operation, value, offset } = append
    if (offset === null) continue
    const other = appendAt.get(offset)
    const first = claims.get(offset)
    if (other !== undefined || (first !== undefined && first.by === null)) {
      found.reused.add(() => ({
        type: 'offset-reused',
        explanation: `${tell(operation)} was given offset ${offset}, and ${heldBy(first, 'was given it too')}`,
        operations: inOrder([operation, ...(other === undefined ? [] : [other.operation])]),
      }))
    }
    if (other === undefined) appendAt.set(offset, append)
    claims.add(offset, { value, by: operation })
  }
  for (const { operation, offsets, values } of reads) {
    for (const [i, value] of (values ?? []).entries()) {
      const offset = offsets[i] as number
      const first = claims.add(offset, { value, by: operation })
      if (first === null) continue
      found.reused.add(() => ({
        type: 'offset-reused',
        explanation:
          `${tell(operation)} shows ${valueOf(value)} at offset ${offset}, ` +
          `and ${heldBy(first, `has ${valueOf(first.value)} there`)}`,
        operations: inOrder([operation, ...(first.by === null ? [] : [first.by])]),
      }))
    }
  }
  return claims
}

function heldBy(claim: Claim | undefined, words: string): string {
  const by = claim?.by ?? null
  return by === null ? 'it held an entry from before the history' : `${tell(by)} ${words}`
}

function judgeReads(
  { reads }: LogOfKey,
  {
    appendAt,
    gaps,
    found,
  }: { appendAt: ReadonlyMap<number, Append>; gaps: 'none' | 'allowed'; found: Found },
): void {
  const acknowledged = new OffsetList(appendAt.keys())
  for (const read of reads) {
    const { operation, offsets, values } = read
    // A watch tells of changes to some entries, not of the log.
    if (values === null) continue
    if (!isGrowing(offsets)) {
      const seen = new Set<number>()
      for (const offset of offsets) {
        if (seen.has(offset)) found.repeated.add(() => repeatedAnomaly(operation, offset))
        seen.add(offset)
      }
    }
    for (const { from, to, isInside } of holesOf(read)) {
      for (const offset of acknowledged.take(from, to)) {
        const { operation: append } = appendAt.get(offset) as Append
        found.unreadable.add(() => ({
          type: 'acknowledged-entry-missing',
          explanation: `${tell(append)} was given offset ${offset}, and ${tell(operation)} passes it without showing it`,
          operations: inOrder([append, operation]),
        }))
      }
      if (!isInside || gaps === 'allowed') continue
      const which = from === to ? `offset ${from}` : `offsets ${from} to ${to}`
      found.gaps.add(() => ({
        type: 'gap',
        explanation: `${tell(operation)} leaves out ${which}`,
        operations: [operation.op_id],
      }))
    }
  }
}

function isGrowing(offsets: readonly number[]): boolean {
  for (let i = 1; i < offsets.length; i += 1) {
    if ((offsets[i] as number) <= (offsets[i - 1] as number)) return false
  }
  return true
}

function repeatedAnomaly(operation: Operation, offset: number) {
  return {
    type: 'offset-repeated',
    explanation: `${tell(operation)} shows offset ${offset} twice`,
    operations: [operation.op_id],
  }
}

/** More offsets are free between known ones than there are appends that may have them. */
function judgeGaps(log: LogOfKey, claims: OffsetClaims, gaps: AnomalyList): void {
  const { count, fillers, first } = unassignedOf(log, claims)
  if (first === null || count <= fillers) return
  const { offset, below, above } = first
  const by = (one: { offset: number; by: Operation | null }) =>
    one.by === null ? `${one.offset} (there at first)` : `${one.offset} (${tell(one.by)})`
  gaps.add(() => ({
    type: 'gap',
    explanation:
      `Nothing has offset ${offset}, between ${by(below)} and ${by(above)}: ${count} offsets are free in all, and ` +
      `${fillers} appends may have some of them`,
    operations: inOrder([below.by, above.by].filter((one) => one !== null)),
  }))
}
