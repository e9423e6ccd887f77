import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columnsOf } from '../../../../src/history/columns-builder.js'
import { outcomeOf, type Operation } from '../../../../src/history/operation.js'
import { drawHistory } from '../../../../src/findings/render/html/history/drawn-history.js'
import { sampleInWords } from '../../../../src/findings/render/html/history/sample.js'
import { operation } from '../../../checkers/operation.js'
import { faultWindow } from '../../../session/records.js'

const second = 1e9

/** One operation every millisecond, of which every hundredth failed, and every thousandth has no answer. */
function longHistory(count: number): Operation[] {
  return Array.from({ length: count }, (_, index) => {
    const at = index * 1e6
    const outcome = index % 1000 === 999 ? 'unknown' : index % 100 === 50 ? 'failed' : 'ok'
    return operation({
      op_id: index,
      process_id: index % 4,
      op_type: 'read',
      at: [at, outcome === 'unknown' ? null : at + 500_000],
      error: outcome === 'ok' ? null : 'no',
    })
  })
}

const none = new Set<string>()

describe('what is drawn of a history', () => {
  it('is all of it when it is short', () => {
    const drawn = drawHistory(columnsOf(longHistory(200)), { faults: [], core: none, most: 200 })
    expect(drawn.operations).toHaveLength(200)
    expect(sampleInWords(drawn.thinned, false)).toBeNull()
  })

  it('keeps the counterexample, what is near faults, the slowest, and something of every outcome', () => {
    const operations = longHistory(20_000)
    operations[7_777] = { ...operations[7_777]!, complete_ts: operations[7_777]!.invoke_ts + second }
    const faults = [faultWindow({ injected_ts: 5 * second, landed_ts: 6 * second, healed_ts: 9 * second })]
    const core = new Set(['123', '15001'])
    const drawn = drawHistory(columnsOf(operations), { faults, core, most: 600 })
    const ids = new Set(drawn.operations.map((one) => one.operation.op_id))
    expect(drawn.operations.length).toBeGreaterThan(500)
    expect(drawn.operations.length).toBeLessThan(700)
    expect(drawn.operations.filter(({ isCore }) => isCore).map((one) => one.operation.op_id)).toEqual([
      123, 15_001,
    ])
    for (const near of [4_995, 5_000, 5_004, 5_995, 6_004, 8_995, 9_004, 7_777]) {
      expect(ids, String(near)).toContain(near)
    }
    const outcomes = new Set(drawn.operations.map((one) => outcomeOf(one.operation)))
    expect([...outcomes].toSorted()).toEqual(['failed', 'ok', 'unknown'])
    expect(sampleInWords(drawn.thinned, true)).toMatch(
      /^those of the counterexample; the 40 nearest .*; one of \d+ of the others that are ok, .*look more frequent/,
    )
  })

  it('has the numbers of all operations, however few are drawn', () => {
    const drawn = drawHistory(columnsOf(longHistory(20_000)), { faults: [], core: none, most: 300 })
    expect(drawn.counts).toEqual({ ok: 19_780, failed: 200, unknown: 20 })
    const sums = drawn.bins.reduce(
      (sum, { ok, failed, unknown }) => ({
        ok: sum.ok + ok,
        failed: sum.failed + failed,
        unknown: sum.unknown + unknown,
      }),
      { ok: 0, failed: 0, unknown: 0 },
    )
    expect(sums).toEqual(drawn.counts)
    expect(drawn.bins.length).toBeLessThanOrEqual(60)
    expect(drawn.bins.every(({ p50, p99, max }) => p50 === 0.5 && p99 === 0.5 && max === 0.5)).toBe(true)
  })

  it('is never much more than was asked for, and in order', () => {
    const history = fc.array(
      fc.record({
        process: fc.integer({ min: 0, max: 9 }),
        at: fc.integer({ min: 0, max: 5_000 }),
        took: fc.option(fc.integer({ min: 0, max: 500 })),
        failed: fc.boolean(),
      }),
      { maxLength: 300 },
    )
    const moments = fc.array(fc.integer({ min: 0, max: 6_000 }), { maxLength: 4 })
    fc.assert(
      fc.property(history, moments, fc.integer({ min: 20, max: 400 }), (drafts, faultsAt, most) => {
        const operations = drafts
          .toSorted((one, other) => one.at - other.at)
          .map(({ process, at, took, failed }, index) =>
            operation({
              op_id: index,
              process_id: process,
              op_type: 'w',
              at: [at * 1e6, took === null ? null : (at + took) * 1e6],
              error: took === null || failed ? 'no' : null,
            }),
          )
        const faults = faultsAt.map((at) =>
          faultWindow({ injected_ts: at * 1e6, landed_ts: null, healed_ts: null, landed: false }),
        )
        const drawn = drawHistory(columnsOf(operations), { faults, core: new Set(['3']), most })
        const ids = drawn.operations.map((one) => Number(one.operation.op_id))
        expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other))
        // Beside the share: one core, the slowest of 60 stretches, two for each moment, and what rounding adds.
        expect(ids.length).toBeLessThanOrEqual(most + 1 + 60 + 2 * faults.length + 3)
        if (operations.length > 3) expect(ids).toContain(3)
        for (const one of operations) expect(one.complete_ts ?? one.invoke_ts).toBeLessThanOrEqual(drawn.end)
      }),
    )
  })
})

describe('the rows of processes', () => {
  it('a client goes on in its row when its process is retired', () => {
    const operations = [
      operation({ process_id: 0, op_type: 'w', at: [0, 10] }),
      operation({ process_id: 1, op_type: 'w', at: [0, 90] }),
      operation({ process_id: 0, op_type: 'w', at: [20, null] }),
      operation({ process_id: 2, op_type: 'w', at: [50, 60] }),
    ]
    const { lanes } = drawHistory(columnsOf(operations), { faults: [], core: none, most: 10 })
    expect(lanes).toEqual([
      { processes: [0, 2], count: 2, ok: 2, failed: 0, unknown: 1 },
      { processes: [1], count: 1, ok: 1, failed: 0, unknown: 0 },
    ])
  })

  it('processes that merely follow each other have rows of their own', () => {
    const operations = [
      operation({ process_id: 0, op_type: 'w', at: [0, 10] }),
      operation({ process_id: 1, op_type: 'w', at: [20, 30] }),
    ]
    const { lanes } = drawHistory(columnsOf(operations), { faults: [], core: none, most: 10 })
    expect(lanes.map(({ processes }) => processes)).toEqual([[0], [1]])
  })
})
