import fc from 'fast-check'
import type { Operation } from '../../../src/history/operation.js'

export const millisecond = 1_000_000

/** A call that began so many milliseconds into the run and took so long; null for one that was never answered. */
export function call(at: number, took: number | null, given: Partial<Operation> = {}): Operation {
  const id = given.op_id ?? `${at}+${took}`
  return {
    op_id: id,
    process_id: 0,
    invoke_ts: at * millisecond,
    complete_ts: took === null ? null : (at + took) * millisecond,
    op_type: 'call',
    key: null,
    input: null,
    output: null,
    error: took === null ? 'no answer' : null,
    timeout_marker: took === null,
    node_seen: null,
    fault_epoch: null,
    ...given,
  }
}

/** Up to twelve calls of two groups, some during a fault, slow, failed or never answered. */
export const someCalls = fc
  .array(
    fc.record({
      at: fc.integer({ min: 0, max: 40 }),
      took: fc.oneof({ weight: 7, arbitrary: fc.integer({ min: 0, max: 20 }) }, fc.constant(null)),
      failed: fc.constantFrom(false, false, false, false, true),
      key: fc.constantFrom('a', 'b', null),
      type: fc.constantFrom('call', 'call', 'other'),
      epoch: fc.constantFrom(null, null, 'F1'),
    }),
    { maxLength: 12 },
  )
  .map((drawn) =>
    drawn.map(({ at, took, failed, key, type, epoch }, index) =>
      call(at, took, {
        op_id: index,
        key,
        op_type: type,
        fault_epoch: epoch,
        ...(failed && took !== null && { error: 'refused' }),
      }),
    ),
  )
