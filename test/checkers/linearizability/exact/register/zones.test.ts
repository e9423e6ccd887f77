import { describe, expect, it } from 'vitest'
import { zones } from '../../../../../src/checkers/linearizability/exact/register/zones.js'
import { registerKind } from '../../../../../src/checkers/linearizability/part.js'
import { codedPart, type Coded } from '../../parts.js'
import { compare, randomHistories, report, smallestShare } from './judge.js'

const { read, write, cas } = registerKind
const words = { tell: (operation: number) => `<${operation}>`, value: (id: number) => `v${id}` }

function decide(...operations: readonly Coded[]) {
  const decision = zones.decide(codedPart('register', operations))
  if (decision.valid !== false) return decision
  const { type, operations: core, explain } = decision.violation
  return { type, core, told: explain(words) }
}

describe('a register with distinct values', () => {
  it(
    'agrees with the definition on random small histories, and so do its violations',
    { timeout: 3_600_000 },
    () => {
      const tally = compare(zones.decide, {
        count: randomHistories(3_000),
        seed: 7,
        shapeOf: (random) => ({
          operations: Math.floor(random() * 10),
          clients: 2 + Math.floor(random() * 3),
          unknown: random() < 0.1 ? 1 : random() < 0.5 ? 0.25 : 0,
          reads: 0.5,
          cas: 0,
          values: null,
          spoilt: 0.8,
          failed: 0.05,
        }),
      })
      report('register-zones', tally)
      expect(smallestShare(tally)).toBeGreaterThan(0.1)
      expect(tally.undecidedValid + tally.undecidedInvalid).toBe(0)
      expect(tally.withUnknown).toBeGreaterThan(0)
      expect(Object.keys(tally.types).toSorted()).toEqual([
        'stale-value',
        'value-came-back',
        'value-from-the-future',
        'value-never-written',
      ])
    },
  )

  it('tells a stale value', () => {
    expect(decide([write, 1, 0, 0, 1], [write, 2, 0, 2, 3], [read, 1, 0, 4, 5])).toEqual({
      type: 'stale-value',
      core: [0, 1, 2],
      told: '<2> saw v1, which had been overwritten: <0> had returned before <1> began, and that had returned before it began, and nothing wrote v1 again.',
    })
  })

  it('tells a stale initial value', () => {
    expect(decide([write, 1, 0, 0, 1], [read, 0, 0, 2, 3])).toEqual({
      type: 'stale-value',
      core: [0, 1],
      told: '<1> saw the initial value v0, although <0> had returned before it began.',
    })
  })

  it('tells a value that was seen before and after another', () => {
    const history: Coded[] = [
      [write, 1, 0, 0, 20],
      [write, 2, 0, 1, 21],
      [read, 1, 0, 2, 4],
      [read, 2, 0, 3, 6],
      [read, 2, 0, 5, 9],
      [read, 1, 0, 7, 8],
    ]
    expect(decide(...history)).toEqual({
      type: 'value-came-back',
      core: [0, 1, 2, 3, 4, 5],
      told: 'v1 was visible before and after v2 was: <2> had returned before <4> began, and <3> had returned before <5> began; a register cannot go from v1 to v2 and back with a single write of v1.',
    })
  })

  it('tells values from nowhere and from the future', () => {
    expect(decide([read, 1, 0, 0, 1])).toEqual({
      type: 'value-never-written',
      core: [0],
      told: '<0> saw v1, which no operation of this history wrote.',
    })
    expect(decide([read, 1, 0, 0, 1], [write, 1, 0, 2, 3])).toEqual({
      type: 'value-from-the-future',
      core: [0, 1],
      told: '<0> saw v1 and had returned before <1> began, which wrote it.',
    })
  })

  it('reports the violation with which the history breaks first', () => {
    const stale = (value: number, at: number): Coded[] => [
      [write, value, 0, at, at + 1],
      [write, value + 1, 0, at + 2, at + 3],
      [read, value, 0, at + 4, at + 5],
    ]
    const intact: Coded[] = [
      [write, 9, 0, 0, 1],
      [read, 9, 0, 2, 3],
    ]
    expect(decide(...intact, ...stale(1, 10), ...stale(3, 20), ...stale(5, 30))).toMatchObject({
      core: [2, 3, 4],
    })
  })

  it('leaves a write of unknown outcome out until its value is seen', () => {
    const history: Coded[] = [
      [write, 1, 0, 0, null],
      [write, 2, 0, 1, 2],
      [read, 2, 0, 3, 4],
    ]
    expect(decide(...history)).toEqual({ valid: true })
    expect(decide(...history, [read, 1, 0, 5, 6])).toEqual({ valid: true })
    expect(decide(...history, [read, 1, 0, 5, 6], [read, 2, 0, 7, 8])).toMatchObject({
      type: 'stale-value',
      core: [0, 1, 3, 4],
    })
    expect(decide([write, 1, 0, 0, null], [write, 2, 0, 1, null])).toEqual({ valid: true })
  })

  it('takes operations that touch for concurrent', () => {
    expect(decide([write, 1, 0, 0, 1], [write, 2, 0, 2, 3], [read, 1, 0, 3, 4])).toEqual({ valid: true })
  })

  it('does not judge what its preconditions exclude', () => {
    const reasonOf = (...operations: Coded[]) => decide(...operations)
    expect(reasonOf([write, 1, 0, 0, 1], [write, 1, 0, 2, 3])).toMatchObject({ valid: 'unknown' })
    expect(reasonOf([write, 0, 0, 0, 1])).toMatchObject({ valid: 'unknown' })
    expect(reasonOf([cas, 0, 1, 0, 1])).toMatchObject({ valid: 'unknown' })
  })
})
