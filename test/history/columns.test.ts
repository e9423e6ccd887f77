import fc from 'fast-check'
import { expect, test } from 'vitest'
import { columnsOf } from '../../src/history/columns-builder.js'
import { orderOf } from '../../src/history/columns-order.js'
import { history } from './arbitraries.js'

test('times are ordered stably, however far they are out of order', () => {
  const times = fc.array(fc.oneof(fc.nat(20), fc.maxSafeNat()), { maxLength: 400, size: 'max' })
  fc.assert(
    fc.property(times, (list) => {
      const expected = [...list.keys()].sort((a, b) => list[a]! - list[b]! || a - b)
      expect([...orderOf(Float64Array.from(list))]).toEqual(expected)
    }),
    { numRuns: 300 },
  )
})

test('operations come back from columns as they went in, and events are in order of time, calls first', () => {
  fc.assert(
    fc.property(history, (operations) => {
      const columns = columnsOf(operations)
      expect(Array.from({ length: columns.count }, (_, index) => columns.operationAt(index))).toEqual(
        operations,
      )
      const expected = operations
        .flatMap(({ invoke_ts, complete_ts }, index) => [
          { at: invoke_ts, event: index + 1 },
          ...(complete_ts === null ? [] : [{ at: complete_ts, event: -(index + 1) }]),
        ])
        .sort(
          (a, b) =>
            a.at - b.at || Math.sign(b.event) - Math.sign(a.event) || Math.abs(a.event) - Math.abs(b.event),
        )
      expect([...columns.events]).toEqual(expected.map(({ event }) => event))
    }),
    { numRuns: 100 },
  )
})
