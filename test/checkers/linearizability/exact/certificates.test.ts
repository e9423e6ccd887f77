import { describe, expect, it } from 'vitest'
import { counterChecker } from '../../../../src/checkers/linearizability/exact/counter/counter.js'
import { semaphoreChecker } from '../../../../src/checkers/linearizability/exact/locks/semaphore.js'
import { logChecker } from '../../../../src/checkers/linearizability/exact/log/log.js'
import { growSetChecker } from '../../../../src/checkers/linearizability/exact/sets/grow-set.js'
import { setElementsChecker } from '../../../../src/checkers/linearizability/exact/sets/set-elements.js'
import type { ExactChecker, Part } from '../../../../src/checkers/linearizability/part.js'
import type { Operation } from '../../../../src/history/operation.js'
import type { Json } from '../../../../src/json.js'
import { counter, lock, log, set, type Model } from '../../../../src/models/index.js'
import { operation } from '../../operation.js'
import { isLinearizableBy } from './by-model.js'
import { smallPart } from './small-part.js'

/** An operation a row: one a moment, each alone, unless `open` keeps it without an answer. */
interface Row {
  readonly type: string
  readonly input?: Json
  readonly output?: Json
  readonly process?: number
  readonly open?: boolean
}

function history(rows: readonly Row[]): Operation[] {
  return rows.map(({ type, input = null, output = null, process = 0, open = false }, i) =>
    operation({
      op_id: i,
      op_type: type,
      input,
      output,
      process_id: process,
      at: [10 * i, open ? null : 10 * i + 5],
    }),
  )
}

function violationOf(checker: ExactChecker, model: Model, operations: readonly Operation[]) {
  const part = smallPart(operations, model) as Part
  expect(part.object).toBe(checker.object)
  const decision = checker.decide(part)
  if (decision.valid !== false) throw new Error(`expected a violation, got ${JSON.stringify(decision)}`)
  const { type, operations: involved, explain } = decision.violation
  const ids = involved.map((i) => operations[part.source[i]!]!.op_id)
  const core = operations.filter(({ op_id: id }) => ids.includes(id))
  if (core.length <= 30) expect(isLinearizableBy(model, core)).toBe(false)
  return {
    type,
    ids,
    words: explain({ tell: (i) => `#${ids[involved.indexOf(i)]}`, value: (id) => `v${id}` }),
  }
}

const range = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

describe('violations among thousands of operations', () => {
  it('of a counter: two reads, when it went back', () => {
    const rows = range(4_000, (i): Row =>
      i % 2 === 0 ? { type: 'inc' } : { type: 'read', output: (i + 1) / 2 },
    )
    rows[3_001] = { type: 'read', output: 1_400 }
    const found = violationOf(counterChecker, counter(), history(rows))
    expect(found).toEqual({
      type: 'counter-went-back',
      ids: [2_999, 3_001],
      words: '#2999 had returned before #3001 began, which saw less: no add takes the counter back.',
    })
  })

  it('of a counter: the adds that were lost, or too few', () => {
    const rows = range(4_000, (i): Row =>
      i % 4 === 0 ? { type: 'read', output: 3 * (i / 4) } : { type: 'inc' },
    )
    rows[3_000] = { type: 'read', output: 3 * 750 - 1 }
    const lost = violationOf(counterChecker, counter(), history(rows))
    expect(lost).toMatchObject({
      type: 'lost-increment',
      ids: [2_996, 2_998, 2_999, 3_000].toSpliced(1, 0, 2_997),
    })
    expect(lost.words).toBe('After #2996, 3 adds began and returned before #3000 began: it saw too few.')
    rows[3_000] = { type: 'read', output: 3 * 750 + 1 }
    const phantom = violationOf(counterChecker, counter(), history(rows))
    expect(phantom).toMatchObject({ type: 'phantom-increment', ids: [2_996, 2_997, 2_998, 2_999, 3_000] })
  })

  it('of an element: what came since it was certainly there', () => {
    const cycle: readonly Row[] = [
      { type: 'add', output: true },
      { type: 'contains', output: true },
      { type: 'remove', output: true },
      { type: 'contains', output: false },
    ]
    const rows = range(4_000, (i): Row => ({ input: 'x', ...cycle[i % 4]! }))
    rows[3_001] = { type: 'contains', input: 'x', output: false }
    const found = violationOf(setElementsChecker, set(), history(rows))
    expect(found.type).toBe('impossible-membership')
    expect(found.ids).toContain(3_001)
    expect(found.ids.length).toBeLessThanOrEqual(6)
  })

  it('of a set that only grows: the lost add and a read without it', () => {
    const elements: number[] = []
    const rows = range(400, (i): Row => {
      if (i % 4 === 0) return { type: 'read', output: [...elements] }
      elements.push(i)
      return { type: 'add', input: i }
    }).map((row, i) =>
      i > 203 && row.type === 'read'
        ? { ...row, output: (row.output as number[]).filter((e) => e !== 202) }
        : row,
    )
    const found = violationOf(growSetChecker, set(), history(rows))
    expect(found).toMatchObject({ type: 'lost-element', ids: [202, 204] })
    expect(found.words).toBe('#202 had returned before #204 began, which did not see that element.')
  })

  it('of a log: an acknowledged entry that is gone, and a place that was taken twice', () => {
    const rows = range(1_000, (i): Row => ({ type: 'append', input: i, output: { offset: i } }))
    const gone = violationOf(logChecker, log(), history([...rows, { type: 'tail', output: 900 }]))
    expect(gone).toMatchObject({ type: 'lost-entry', ids: [900, 1_000] })
    const again = [...rows, { type: 'append', input: 'new', output: { offset: 500 } }]
    expect(violationOf(logChecker, log(), history(again))).toMatchObject({
      type: 'conflicting-offsets',
      ids: [500, 1_000],
    })
  })

  it('of a lock: both holds', () => {
    const rows = range(1_000, (i): Row => ({
      type: i % 2 === 0 ? 'acquire' : 'release',
      process: Math.floor(i / 2),
    }))
    const early = [...rows.slice(0, 601), { type: 'acquire', process: 9_999 }, ...rows.slice(601)]
    const found = violationOf(semaphoreChecker, lock(), history(early))
    expect(found).toMatchObject({ type: 'two-holders', ids: [600, 601, 602] })
    const twice = [...rows.slice(0, 602), { type: 'release', process: 300 }, ...rows.slice(602)]
    expect(violationOf(semaphoreChecker, lock(), history(twice))).toMatchObject({
      type: 'release-without-hold',
      ids: [600, 601, 602],
    })
  })
})

describe('histories that say nothing', () => {
  const changes: readonly [ExactChecker, Model, readonly Row[]][] = [
    [counterChecker, counter(), [{ type: 'inc' }, { type: 'read' }]],
    [
      setElementsChecker,
      set(),
      [
        { type: 'add', input: 1 },
        { type: 'remove', input: 1 },
      ],
    ],
    [growSetChecker, set(), [{ type: 'add', input: 1 }, { type: 'read' }]],
    [logChecker, log(), [{ type: 'append', input: 1 }, { type: 'tail' }]],
    [
      semaphoreChecker,
      lock(),
      [
        { type: 'acquire', process: 1 },
        { type: 'release', process: 2 },
      ],
    ],
  ]

  it.each(changes)('are possible: none, and only unknown outcomes (%#)', (checker, model, rows) => {
    const open = history(rows.map((row) => ({ ...row, open: true })))
    for (const operations of [[], open]) {
      expect(checker.decide(smallPart(operations, model) as Part)).toEqual({ valid: true })
    }
  })
})
