import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differential } from '../../../src/checkers/index.js'
import { recordList, sameRecords } from '../../../src/checkers/differential/reference.js'
import { DeclarationError } from '../../../src/errors.js'
import { outcomeOf, type Operation } from '../../../src/history/operation.js'
import { randomHistories } from '../../support/random-histories.js'
import { againstDefinition, judged } from '../against-definition.js'
import { operation } from '../operation.js'

/** A number that `add` adds to and `read` shows. */
const sum = () => {
  let total = 0
  return {
    apply: ({ type, input }: { type: string; input: unknown }) =>
      type === 'add' ? (total += Number(input)) : total,
  }
}
const checker = differential({ reference: sum })
const add = (input: number, output: number, at: readonly [number, number | null]) =>
  operation({ op_type: 'add', at, input, output })
const read = (output: number, at: readonly [number, number | null]) =>
  operation({ op_type: 'read', at, output })

describe('differential', () => {
  it.each<[string, Operation[], boolean | 'unknown']>([
    ['equal answers', [add(2, 2, [0, 1]), read(2, [2, 3]), add(3, 5, [4, 5])], true],
    ['another answer of an observer', [add(2, 2, [0, 1]), read(3, [2, 3])], false],
    ['another answer of a change', [add(2, 3, [0, 1])], false],
    [
      'a read that overlaps a change is passed over',
      [add(2, 2, [0, 3]), read(0, [1, 2]), read(2, [4, 5])],
      true,
    ],
    [
      'nothing after changes that overlap',
      [add(1, 1, [0, 3]), add(2, 3, [1, 4]), read(9, [5, 6])],
      'unknown',
    ],
    [
      'nothing after a change of unknown outcome',
      [read(0, [0, 1]), add(1, 0, [2, null]), read(9, [5, 6])],
      true,
    ],
    ['a difference before that stands', [read(1, [0, 1]), add(1, 0, [2, null])], false],
    ['no operation', [], 'unknown'],
  ])('%s', async (_, operations, valid) => {
    expect(await judged(checker, operations)).toMatchObject({ valid })
  })

  it('shows both answers', async () => {
    const { anomalies, evidence, coverage } = await judged(checker, [
      add(2, 2, [0, 5]),
      read(7, [1, 2]),
      read(3, [6, 7]),
    ])
    expect(anomalies[0]?.explanation).toMatch(
      /^read\(\) by process \d+ \(operation \d+\) answered 3; the reference answers 2\.$/,
    )
    expect(evidence).toMatchObject({ compared: 2, passedOver: 1 })
    expect(coverage).toBe('subset')
  })

  it('has a list of records as a reference of recorded histories, for which the order of ids is free', async () => {
    const records = differential({ reference: recordList, same: sameRecords })
    const create = (id: string, at: number) => {
      const input = { id, colour: 'red' }
      return operation({ op_type: 'create', at: [at, at + 1], input, output: input })
    }
    const query = (ids: string[]) =>
      operation({ op_type: 'query', at: [10, 11], input: { colour: 'red' }, output: { colour: 'red', ids } })
    expect(await judged(records, [create('a', 0), create('b', 2), query(['b', 'a'])])).toMatchObject({
      valid: true,
    })
    expect(await judged(records, [create('a', 0), create('b', 2), query(['b'])])).toMatchObject({
      valid: false,
    })
    await expect(judged(records, [read(1, [0, 1])])).rejects.toThrow(DeclarationError)
  })

  it('agrees with the definition', async () => {
    const histories = fc
      .array(
        fc.record({
          type: fc.constantFrom('add', 'read', 'read'),
          input: fc.integer({ min: 0, max: 2 }),
          start: fc.integer({ min: 0, max: 8 }),
          length: fc.integer({ min: 0, max: 2 }),
          outcome: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'ok', 'failed', 'unknown'),
          wrong: fc.constantFrom(0, 0, 0, 0, 1),
        }),
        { maxLength: 5 },
      )
      .map((drawn) =>
        drawn.map(({ type, input, start, length, outcome, wrong }, index) => {
          const at = 100 * start + index
          // Right when nothing overlaps.
          const before = drawn.filter(
            (one) => one.type === 'add' && one.outcome !== 'failed' && one.start < start,
          )
          const output = before.reduce((total, one) => total + one.input, type === 'add' ? input : 0) + wrong
          return operation({
            op_id: index,
            op_type: type,
            at: [at, outcome === 'unknown' ? null : at + 1 + 100 * length],
            input,
            output: outcome === 'ok' ? output : null,
            ...(outcome === 'failed' && { error: 'refused' }),
          })
        }),
      )
    // Every order of the changes that real time allows, with and without those of unknown outcome: no operation may fit in none.
    const isValid = (operations: readonly Operation[]): boolean | null => {
      const changes = operations.filter((one) => one.op_type === 'add' && outcomeOf(one) !== 'failed')
      const certain = changes.every(
        (one) =>
          one.complete_ts !== null &&
          changes.every(
            (other) =>
              other === one || other.complete_ts! < one.invoke_ts || one.complete_ts! < other.invoke_ts,
          ),
      )
      if (!certain) return null
      const answeredRight = (one: Operation) => {
        const sums = changes
          .filter((change) => change !== one && change.invoke_ts <= one.complete_ts!)
          .toSorted((a, b) => a.invoke_ts - b.invoke_ts)
        if (one.op_type === 'read' && sums.some((change) => change.complete_ts! >= one.invoke_ts)) return true
        const total = sums.reduce(
          (so, change) => so + Number(change.input),
          one.op_type === 'add' ? Number(one.input) : 0,
        )
        return one.output === total
      }
      return operations.filter((one) => outcomeOf(one) === 'ok').every(answeredRight)
    }
    await againstDefinition(checker, { histories, runs: randomHistories(3_000), isValid, cores: false })
  })

  it('wants a reference', () => {
    expect(() => differential({} as never)).toThrow(DeclarationError)
  })
})
