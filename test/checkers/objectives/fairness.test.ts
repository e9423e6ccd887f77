import { describe, expect, it } from 'vitest'
import { fairness, type FairnessOptions } from '../../../src/checkers/index.js'
import { DeclarationError } from '../../../src/errors.js'
import { outcomeOf, type Operation } from '../../../src/history/operation.js'
import { randomHistories } from '../../support/random-histories.js'
import { againstDefinition, judged } from '../against-definition.js'
import { call, millisecond, someCalls } from './calls.js'

const twice = fairness({ worstToAggregate: { percentile: 50, atMost: 2 } })
const calls = (key: string, ...took: (number | null)[]) =>
  took.map((ms, index) => call(index * 100, ms, { key, op_id: `${key}${index}` }))

describe('fairness', () => {
  it.each([
    ['alike', [...calls('a', 10, 10), ...calls('b', 12, 12)], true],
    ['one waits', [...calls('a', 10, 10, 10), ...calls('b', 40)], false],
    ['one is never answered', [...calls('a', 10, 10, 10), ...calls('b', null)], false],
    ['nobody is answered', [...calls('a', null), ...calls('b', null)], true],
    ['a single group', calls('a', 10, 900), 'unknown'],
    ['no group', [call(0, 1)], 'unknown'],
  ])('%s', async (_, operations, valid) => {
    expect(await judged(twice, operations)).toMatchObject({ valid })
  })

  it('names the group and its slowest calls', async () => {
    const { anomalies } = await judged(twice, [...calls('a', 10, 10, 10), ...calls('b', 40)])
    expect(anomalies).toEqual([
      {
        type: 'slow-group',
        explanation:
          'p50 of "b" is 40 ms, that of all groups together 10 ms; at most 2 times as much is fair.',
        operations: ['b0'],
      },
    ])
  })

  const groups = (operations: readonly Operation[]) => {
    const named = operations.filter(({ key }) => key !== null)
    return {
      named,
      all: ['a', 'b'].map((key) => named.filter((one) => one.key === key)).filter((one) => one.length > 0),
    }
  }
  const okOf = (operations: readonly Operation[]) =>
    operations.filter((one) => outcomeOf(one) === 'ok').length
  /** The smallest bound that at least half of the calls keep. */
  const median = (operations: readonly Operation[]) =>
    [...Array(21).keys(), Infinity].find(
      (bound) =>
        operations.filter(
          (one) =>
            bound === Infinity ||
            (one.complete_ts !== null && one.complete_ts - one.invoke_ts <= bound * millisecond),
        ).length >=
        operations.length / 2,
    )!
  it.each<[string, FairnessOptions, (operations: readonly Operation[]) => boolean | null]>([
    [
      'the worst group',
      { worstToAggregate: { percentile: 50, atMost: 1.5 } },
      (operations) => {
        const { named, all } = groups(operations)
        const aggregate = median(named)
        return aggregate === Infinity || all.every((group) => median(group) <= 1.5 * aggregate)
      },
    ],
    [
      'errors by group',
      { maxErrorRate: 0.4 },
      (operations) =>
        groups(operations).all.every((group) => group.length - okOf(group) <= 0.4 * group.length),
    ],
    [
      'the slowest throughput',
      { minThroughput: 40 },
      (operations) => {
        const { named, all } = groups(operations)
        const times = named.flatMap((one) => [one.invoke_ts, one.complete_ts ?? one.invoke_ts])
        const seconds = (Math.max(...times) - Math.min(...times)) / 1e9
        return seconds === 0 ? null : all.every((group) => okOf(group) / seconds >= 40)
      },
    ],
  ])('%s agrees with the definition', async (_, options, isValid) => {
    await againstDefinition(fairness(options), {
      histories: someCalls,
      runs: randomHistories(2_000, 3),
      isValid,
      cores: false,
    })
  })

  it('compares a group with itself over the runs', async () => {
    const checker = fairness({ spread: { percentile: 50, atMost: 1.5 } })
    const run = (ms: number) => judged(checker, [...calls('a', 10), ...calls('b', ms)])
    const spread = async (...took: number[]) => checker.acrossRuns!(await Promise.all(took.map(run)))
    expect(await spread(10, 12, 14)).toMatchObject({ valid: true, evidence: { runs: 3, groups: 2 } })
    expect(await spread(10, 12, 16)).toMatchObject({
      valid: false,
      anomalies: [
        {
          type: 'unsteady-group',
          explanation: expect.stringContaining('p50 of "b" lies between 10 ms and 16 ms'),
        },
      ],
    })
    expect(await spread(10)).toMatchObject({ valid: 'unknown' })
  })

  it('groups as it is told, and refuses to measure nothing', async () => {
    const byParity = fairness({
      groupBy: ({ op_id }) => (Number(op_id) % 2 === 0 ? 'even' : 'odd'),
      maxErrorRate: 0,
    })
    const operations = [1, 2, 3, 4].map((id) => call(id, id === 4 ? null : 1, { op_id: id }))
    expect((await judged(byParity, operations)).anomalies[0]?.explanation).toContain('"even"')
    expect(() => fairness({})).toThrow(DeclarationError)
    expect(() => fairness({ groupBy: 'colour' as never, maxErrorRate: 0 })).toThrow('groupBy')
  })
})
