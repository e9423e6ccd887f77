import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  monotonicReads,
  monotonicWrites,
  readYourWrites,
  sessionConsistency,
  writesFollowReads,
} from '../../../src/checkers/sessions/session-guarantees.js'
import { session } from '../../../src/models/session.js'
import { randomHistories } from '../../support/random-histories.js'
import { isConsistent } from './definition.js'
import { smallSessions, type Versions } from './small-sessions.js'

const runs = randomHistories(1_000, 5)

const four = ['read-your-writes', 'monotonic-reads', 'monotonic-writes', 'writes-follow-reads']
const all: readonly Versions[] = ['all', 'all', 'some', 'none']
const known: readonly Versions[] = ['all', 'all', 'all', 'some']
const checkers = [
  [readYourWrites(), four.slice(0, 1), all],
  [monotonicReads(), four.slice(1, 2), all],
  // Without versions nothing contradicts these two by themselves.
  [monotonicWrites(), four.slice(2, 3), known],
  [writesFollowReads(), four.slice(3), known],
  [sessionConsistency(), four, all],
] as const

/** More reads than writes, mostly in one session. */
const reading = { writes: 35, processes: [0, 0, 0, 1] }

describe('against the definition, on small random histories', () => {
  it.each(checkers.map(([checker, ...rest]) => [checker.name, checker, ...rest] as const))(
    '%s',
    async (_, checker, guarantees, versions) => {
      const answers = { true: 0, false: 0, unknown: 0 }
      const property = fc.asyncProperty(
        smallSessions(versions, checker.name === 'monotonic-reads' ? reading : {}),
        async (operations) => {
          const given = { operations, model: session(), collected: null, timeoutMs: 1_000 }
          const { valid, anomalies } = await checker.check(given)
          answers[`${valid}`] += 1
          if (valid === 'unknown') return
          expect(valid).toBe(isConsistent(operations, guarantees))
          for (const { operations: told } of anomalies) {
            const alone = operations.filter(({ op_id: id }) => told.includes(id))
            expect(isConsistent(alone, guarantees)).toBe(false)
          }
        },
      )
      await fc.assert(property, { numRuns: runs })
      expect(answers.true).toBeGreaterThan(runs / 10)
      expect(answers.false).toBeGreaterThan(runs / 10)
    },
    120_000,
  )
})
