import fc from 'fast-check'
import type { Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'

const step = fc.record({
  type: fc.constantFrom('add', 'add', 'add', 'read', 'read', 'remove'),
  value: fc.integer({ min: 0, max: 3 }),
  length: fc.integer({ min: 0, max: 4 }),
  gap: fc.integer({ min: -2, max: 2 }),
  outcome: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'ok', 'failed', 'unknown', 'lost'),
  spoilt: fc.constantFrom('no', 'no', 'no', 'no', 'lose', 'forget'),
})

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

/** Small histories of a set that now and then loses what was added, and whose reads now and then leave something out. */
export function randomSet(): fc.Arbitrary<Operation[]> {
  const last = step.map((one): Step => ({ ...one, type: 'read', outcome: 'ok' }))
  return fc
    .tuple(
      fc.array(step, { maxLength: 6, size: 'max' }),
      fc.array(last, { minLength: 1, maxLength: 2, size: 'max' }),
    )
    .map(([steps, reads]) => play(steps, reads))
}

function play(steps: readonly Step[], reads: readonly Step[]): Operation[] {
  const elements = new Set<number>()
  let now = 2
  return [...steps, ...reads].map((one, id) => {
    if (id === steps.length && one.spoilt !== 'lose') now += 5
    const open = one.outcome === 'unknown' || one.outcome === 'lost'
    const happens = one.outcome === 'ok' || one.outcome === 'unknown'
    if (happens && one.type === 'add' && one.spoilt !== 'lose') elements.add(one.value)
    if (happens && one.type === 'remove') elements.delete(one.value)
    const seen: Json = [...elements].slice(one.spoilt === 'forget' ? 1 : 0)
    const begun = now
    now = Math.max(0, now + one.length + one.gap)
    return {
      op_id: id,
      process_id: id,
      invoke_ts: begun,
      complete_ts: open ? null : begun + one.length,
      op_type: one.type,
      key: null,
      input: one.type === 'read' ? null : one.value,
      output: one.type === 'read' && one.outcome === 'ok' ? seen : null,
      error: one.outcome === 'ok' ? null : one.outcome === 'failed' ? 'refused' : 'timeout',
      timeout_marker: open,
      node_seen: null,
      fault_epoch: null,
    }
  })
}
