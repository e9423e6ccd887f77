import fc from 'fast-check'
import type { Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'

const allSpoils = ['lose', 'skip', 'reuse', 'ahead', 'leave-out', 'twice', 'other', 'turn', 'early'] as const
type Spoil = 'no' | (typeof allSpoils)[number]

const step = (spoils: readonly Spoil[]) =>
  fc.record({
    type: fc.constantFrom('append', 'append', 'append', 'read', 'read', 'list'),
    value: fc.integer({ min: 0, max: 3 }),
    length: fc.integer({ min: 0, max: 4 }),
    gap: fc.integer({ min: -2, max: 2 }),
    outcome: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'silent', 'failed', 'unknown', 'lost'),
    from: fc.integer({ min: 0, max: 2 }),
    take: fc.integer({ min: 1, max: 6 }),
    spoilt: fc.constantFrom<Spoil>(...Array.from({ length: 10 }, () => 'no' as const), ...spoils),
  })

type Step = ReturnType<typeof step> extends fc.Arbitrary<infer One> ? One : never

/**
 * Small histories of one real log whose answers are then spoilt: offsets that are skipped or given twice, records that
 * are left out, shown twice, changed, out of turn or too early, and entries that vanish. With `distinct` every entry is
 * appended once; with `isReadBack` the log is read at the end; `spoils` are what is drawn from.
 */
export function randomLog({
  distinct = false,
  isReadBack = false,
  spoils = allSpoils,
}: { distinct?: boolean; isReadBack?: boolean; spoils?: readonly Spoil[] } = {}): fc.Arbitrary<Operation[]> {
  const any = step(spoils)
  const appends = any.map((one): Step => ({ ...one, type: 'append' }))
  const last = any.map((one): Step => ({ ...one, type: 'read', outcome: 'ok', from: 0, take: 9 }))
  return fc
    .tuple(
      fc.array(appends, { maxLength: 4, size: 'max' }),
      fc.array(any, { maxLength: 4, size: 'max' }),
      fc.array(last, isReadBack ? { minLength: 1, maxLength: 2 } : { maxLength: 0 }),
    )
    .map(([first, then, reads]) => play([...first, ...then], { reads, distinct }))
}

function play(
  steps: readonly Step[],
  { reads, distinct }: { reads: readonly Step[]; distinct: boolean },
): Operation[] {
  const entries = new Map<number, Json>()
  let next = 0
  let now = 2
  return [...steps, ...reads].map((one, id) => {
    if (id === steps.length) now += 5
    const open = one.outcome === 'unknown' || one.outcome === 'lost'
    const answered = one.outcome === 'ok' || one.outcome === 'silent'
    const common = {
      op_id: id,
      process_id: id,
      invoke_ts: now,
      complete_ts: open ? null : now + one.length,
      key: 'k',
      error: answered ? null : one.outcome === 'failed' ? 'refused' : 'timeout',
      timeout_marker: open,
      node_seen: null,
      fault_epoch: null,
    }
    now = Math.max(0, now + one.length + one.gap)
    if (one.type === 'append') {
      const value = 10 + (distinct ? id : one.value)
      let output: Json = null
      if (answered || one.outcome === 'unknown') {
        if (one.spoilt === 'skip') next += 1
        const offset =
          one.spoilt === 'ahead' ? next + 2 : one.spoilt === 'reuse' && next > 0 ? next - 1 : next
        if (one.spoilt !== 'lose') entries.set(offset, value)
        if (one.spoilt !== 'ahead') next = Math.max(next, offset + 1)
        if (one.outcome === 'ok') output = offset
      }
      return { ...common, op_type: 'append', input: value, output }
    }
    if (one.type === 'list') {
      const output = [...entries].sort(([a], [b]) => a - b).map(([, value]) => value)
      return { ...common, op_type: 'read', input: null, output: answered ? output : null }
    }
    let records = [...entries].sort(([a], [b]) => a - b).filter(([offset]) => offset >= one.from)
    records = records.slice(0, one.take)
    if (one.spoilt === 'leave-out') records = records.toSpliced(records.length >> 1, 1)
    if (one.spoilt === 'twice') records = [...records, ...records.slice(-1)]
    if (one.spoilt === 'turn') records = records.toReversed()
    if (one.spoilt === 'early') records = [...[...entries].slice(0, 1), ...records]
    if (one.spoilt === 'other') records = records.map(([offset]) => [offset, 99])
    return {
      ...common,
      op_type: 'read',
      input: { from: one.from },
      output: answered ? { from: one.from, records: records as Json } : null,
    }
  })
}
