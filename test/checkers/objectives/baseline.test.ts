import { describe, expect, it } from 'vitest'
import { baseline, type BaselineOptions } from '../../../src/checkers/index.js'
import { DeclarationError } from '../../../src/errors.js'
import { Random } from '../../../src/random/random.js'
import { judged } from '../against-definition.js'
import { call } from './calls.js'

const latency = { latency: 50 } as const

async function compared(options: BaselineOptions, runs: readonly (readonly number[])[]) {
  const checker = baseline(options)
  const results = await Promise.all(
    runs.map((took) =>
      judged(
        checker,
        took.map((ms, at) => call(at * 10, ms)),
      ),
    ),
  )
  return checker.acrossRuns!(results)
}

describe('baseline', () => {
  it.each([
    ['the same', [[10], [10.2], [9.9]], true],
    ['twice as slow', [[20], [21], [19]], false],
    ['twice as fast', [[5], [5.1], [4.9]], true],
    ['too scattered to tell', [[4], [11], [20]], 'unknown'],
    ['two runs', [[10], [10]], 'unknown'],
  ])('latency: %s', async (_, runs, valid) => {
    const result = await compared({ metric: latency, baseline: [10, 10.1, 9.8] }, runs)
    expect(result).toMatchObject({ valid, checker: 'baseline' })
    expect(result.reason === null).toBe(valid !== 'unknown')
  })

  it('of throughput, less is worse', async () => {
    // Ten calls a second against five.
    const runs = [1, 2, 3].map(() => [100, 100, 100, 100])
    const perSecond = 4 / 0.13
    expect(
      await compared({ metric: 'throughput', baseline: [perSecond, perSecond, perSecond] }, runs),
    ).toMatchObject({ valid: true })
    const worse = await compared(
      { metric: 'throughput', baseline: [2 * perSecond, 2 * perSecond, 2.1 * perSecond] },
      runs,
    )
    expect(worse).toMatchObject({ valid: false, anomalies: [{ type: 'worse-than-baseline' }] })
    expect(worse.anomalies[0]?.explanation).toMatch(
      /^The metric is 0\.49\d? of the baseline, with an interval of 0\.\d+ to 0\.\d+ over 3 runs/,
    )
  })

  it('is wrong about equal distributions no more often than its confidence allows', async () => {
    const random = new Random(1)
    const draw = () => 10 + random.float() + random.float() + random.float()
    const sample = () => Array.from({ length: 6 }, draw)
    let accused = 0
    for (let trial = 0; trial < 100; trial++) {
      const result = await compared(
        { metric: latency, baseline: sample(), tolerance: 0 },
        sample().map((ms) => [ms]),
      )
      if (result.valid === false) accused += 1
    }
    // One side of a 95% interval would be 2.5; with six runs the percentile interval is somewhat narrow.
    expect(accused).toBeLessThanOrEqual(12)
  })

  it('finds a real difference that the runs show', async () => {
    const random = new Random(2)
    const sample = (least: number) => Array.from({ length: 6 }, () => least + random.float())
    let found = 0
    for (let trial = 0; trial < 50; trial++) {
      const result = await compared(
        { metric: latency, baseline: sample(10) },
        sample(13).map((ms) => [ms]),
      )
      if (result.valid === false) found += 1
    }
    expect(found).toBe(50)
  })

  it('says nothing of a run without answers, and refuses two runs as a baseline', async () => {
    const checker = baseline({ metric: latency, baseline: [1, 1, 1] })
    expect(await judged(checker, [call(0, null)])).toMatchObject({ valid: 'unknown' })
    expect(() => baseline({ metric: latency, baseline: [1, 2] })).toThrow(DeclarationError)
  })
})
