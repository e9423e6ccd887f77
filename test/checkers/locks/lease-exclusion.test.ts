import { describe, expect, it } from 'vitest'
import { leaseExclusion } from '../../../src/checkers/index.js'
import { outcomeOf, type Operation } from '../../../src/history/operation.js'
import { randomHistories } from '../../support/random-histories.js'
import { againstDefinition, judged } from '../against-definition.js'
import { operation } from '../operation.js'
import { holdHistories } from './holds.js'

const patienceMs = 1_800_000
const ms = 1_000_000

/** Whether the process is sure at the moment, by each grant on its own. Times in milliseconds. */
function isSure(own: readonly Operation[], at: number, sureMs: number): boolean {
  return own.some((grant) => {
    if (grant.op_type === 'release' || outcomeOf(grant) !== 'ok' || grant.output === false) return false
    if (grant.complete_ts! > at * ms || at * ms >= grant.invoke_ts + sureMs * ms) return false
    return !own.some((end) => {
      if (end.op_type === 'release' && end.invoke_ts <= at * ms) {
        if (end.complete_ts === null || end.complete_ts >= grant.invoke_ts) return true
      }
      const toldSo = end.output === false && end.complete_ts !== null && end.complete_ts <= at * ms
      return toldSo && end.complete_ts! >= grant.invoke_ts
    })
  })
}

function isExclusive(operations: readonly Operation[], sureMs: number): boolean {
  const processes = [...new Set(operations.map(({ process_id: process }) => process))]
  const own = processes.map((process) => operations.filter(({ process_id: its }) => its === process))
  for (let at = 0.5; at < 100; at += 1) {
    if (own.filter((its) => isSure(its, at, sureMs)).length > 1) return false
  }
  return true
}

const inMs = (operations: Operation[]) =>
  operations.map((one) => ({
    ...one,
    invoke_ts: one.invoke_ts * ms,
    complete_ts: one.complete_ts === null ? null : one.complete_ts * ms,
  }))

describe('leaseExclusion', () => {
  const at = (
    op_type: string,
    process_id: number,
    from: number,
    to: number | null,
    more: Partial<Operation> = {},
  ) => operation({ op_type, process_id, at: [from * ms, to === null ? null : to * ms], ...more })
  const checker = leaseExclusion({ ttl: '10ms', clockUncertainty: 2 })

  it.each([
    ['a grant within the TTL of another', [at('acquire', 1, 0, 1), at('acquire', 2, 2, 7)], false],
    ['a grant after the TTL of another', [at('acquire', 1, 0, 1), at('acquire', 2, 11, 12)], true],
    ['a grant within the uncertainty', [at('acquire', 1, 0, 1), at('acquire', 2, 2, 8)], true],
    [
      'a grant within the TTL of a renewal',
      [at('acquire', 1, 0, 1), at('renew', 1, 5, 6), at('acquire', 2, 11, 12)],
      false,
    ],
    [
      'a renewal of unknown outcome',
      [at('acquire', 1, 0, 1), at('renew', 1, 5, null), at('acquire', 2, 11, 12)],
      true,
    ],
    [
      'a renewal that was refused',
      [at('acquire', 1, 0, 1), at('renew', 1, 2, 3, { output: false }), at('acquire', 2, 2, 4)],
      true,
    ],
    [
      'a refused renewal after another was granted',
      [at('acquire', 1, 0, 1), at('renew', 1, 2, 5, { output: false }), at('acquire', 2, 2, 4)],
      false,
    ],
    ['a release', [at('acquire', 1, 0, 1), at('release', 1, 2, 3), at('acquire', 2, 2, 4)], true],
    [
      'a late release of before',
      [at('acquire', 1, 0, 1), at('release', 1, 2, null), at('acquire', 1, 3, 4), at('acquire', 2, 4, 5)],
      true,
    ],
    ['a grant of unknown outcome', [at('acquire', 1, 0, null), at('acquire', 2, 2, 3)], true],
    ['a grant whose answer came too late', [at('acquire', 1, 0, 9), at('acquire', 2, 8, 9)], true],
    ['two leases', [at('acquire', 1, 0, 1, { key: 'a' }), at('acquire', 2, 2, 3, { key: 'b' })], true],
    ['nothing', [], 'unknown'],
  ] as const)('%s', async (_, operations, valid) => {
    expect((await judged(checker, operations)).valid).toBe(valid)
  })

  it('measures the overlap', async () => {
    const { evidence, anomalies } = await judged(checker, [at('acquire', 1, 0, 1), at('acquire', 2, 2, 5)])
    expect(evidence).toMatchObject({ beliefs: 2, overlaps: 1, longestOverlapMs: 3 })
    expect(anomalies[0]?.explanation).toContain('for 3 ms at least')
  })

  it('says which option is wrong', () => {
    expect(() => leaseExclusion({ ttl: '1s', clockUncertainty: '2s' })).toThrow(/less than ttl/)
    expect(() => leaseExclusion({ ttl: 'soon' as '1s', clockUncertainty: 0 })).toThrow(/ttl.*soon/)
    expect(() => leaseExclusion({} as never)).toThrow(/ttl/)
  })

  it('agrees with the definition', { timeout: patienceMs }, async () => {
    const runs = randomHistories(2_000, 2)
    const histories = holdHistories({ renews: true, most: 7 }).map(inMs)
    await againstDefinition(checker, { histories, runs, isValid: (operations) => isExclusive(operations, 8) })
  })

  it(
    'agrees with the definition where processes do several things at once',
    { timeout: patienceMs },
    async () => {
      const runs = randomHistories(2_000, 2)
      const histories = holdHistories({ renews: true, unruly: true, most: 7 }).map(inMs)
      await againstDefinition(checker, {
        histories,
        runs,
        isValid: (operations) => isExclusive(operations, 8),
      })
    },
  )
})
