import fc from 'fast-check'
import type { Operation } from '../../../src/history/operation.js'

/**
 * Small histories of real counters, some of whose answers are then spoilt: increments and decrements, operations that
 * touch or overlap, and every outcome.
 */
export function smallCounters(maxLength: number): fc.Arbitrary<Operation[]> {
  const step = fc.record({
    type: fc.constantFrom('read', 'read', 'read', 'add', 'add', 'dec', 'add-and-get', 'get-and-add'),
    key: fc.constantFrom('x', 'x', 'x', 'y'),
    amount: fc.constantFrom(1, 1, 2, 3, -1, null),
    invoke: fc.integer({ min: 0, max: 12 }),
    length: fc.integer({ min: 0, max: 5 }),
    effect: fc.integer({ min: 0, max: 5 }),
    outcome: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'ok', 'failed', 'unknown', 'lost'),
    spoilt: fc.constantFrom(0, 0, 0, 0, 0, 1, -1),
  })
  return fc.array(step, { maxLength, size: 'max' }).map((steps) => {
    const values = new Map<string, number>()
    const operations = new Array<Operation>(steps.length)
    const effectOf = (index: number) => {
      const { invoke = 0, effect = 0, length = 0 } = steps[index] ?? {}
      return invoke + Math.min(effect, length)
    }
    for (const index of [...steps.keys()].sort((a, b) => effectOf(a) - effectOf(b))) {
      const step = steps[index] as (typeof steps)[number]
      const before = values.get(step.key) ?? 0
      const sign = step.type === 'read' ? 0 : step.type === 'dec' ? -1 : 1
      const after = before + sign * (step.amount ?? 1)
      if (step.outcome === 'ok' || step.outcome === 'unknown') values.set(step.key, after)
      const open = step.outcome === 'unknown' || step.outcome === 'lost'
      const answers = step.outcome === 'ok' && step.type !== 'add' && step.type !== 'dec'
      operations[index] = {
        op_id: index,
        process_id: index,
        invoke_ts: step.invoke,
        complete_ts: open ? null : step.invoke + step.length,
        op_type: step.type,
        key: step.key,
        input: sign === 0 ? null : step.amount,
        output: answers ? (step.type === 'add-and-get' ? after : before) + step.spoilt : null,
        error: step.outcome === 'ok' ? null : step.outcome === 'failed' ? 'refused' : 'timeout',
        timeout_marker: open,
        node_seen: null,
        fault_epoch: null,
      }
    }
    return operations
  })
}
