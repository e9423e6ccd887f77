import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundedStaleness } from '../../../src/checkers/sessions/bounded-staleness.js'
import { session } from '../../../src/models/session.js'
import { randomHistories } from '../../support/random-histories.js'
import { isFresh } from './definition.js'
import { smallSessions } from './small-sessions.js'

const runs = randomHistories(1_000, 4)

/** Time in these histories is counted in nanoseconds, from 1 on. */
const nanoseconds = (count: number) => count / 1e6

const checkers = [
  ['none missed', boundedStaleness({ within: 0 }), { withinNs: 0 }],
  ['nothing older missed', boundedStaleness({ within: nanoseconds(2) }), { withinNs: 2 }],
  ['no version missed', boundedStaleness({ versions: 0 }), { versions: 0 }],
  ['one version missed', boundedStaleness({ versions: 1 }), { versions: 1 }],
] as const

describe('bounded staleness against the definition, on small random histories', () => {
  it.each(checkers)(
    '%s',
    async (_, checker, bound) => {
      const answers = { true: 0, false: 0, unknown: 0 }
      const histories = smallSessions(['none', 'all'], {
        processes: [0, 0, 0, 0, 1],
        writes: 60,
        // Two versions can be missed only by reads that come late.
        readsLast: 'versions' in bound && bound.versions > 0,
      })
      const property = fc.asyncProperty(histories, async (operations) => {
        const given = { operations, model: session(), collected: null, timeoutMs: 1_000 }
        const { valid, anomalies } = await checker.check(given)
        answers[`${valid}`] += 1
        if (valid === 'unknown') return
        expect(valid).toBe(isFresh(operations, bound))
        for (const { operations: told } of anomalies) {
          const alone = operations.filter(({ op_id: id }) => told.includes(id))
          expect(isFresh(alone, bound)).toBe(false)
        }
      })
      await fc.assert(property, { numRuns: runs })
      expect(answers.true).toBeGreaterThan(runs / 10)
      expect(answers.false).toBeGreaterThan(runs / 10)
    },
    120_000,
  )
})
