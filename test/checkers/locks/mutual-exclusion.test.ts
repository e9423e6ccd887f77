import { existsSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mutualExclusion } from '../../../src/checkers/index.js'
import { DeclarationError } from '../../../src/errors.js'
import { outcomeOf, type Operation } from '../../../src/history/operation.js'
import { readHistory } from '../../../src/history/read.js'
import { lease, lock, semaphore } from '../../../src/models/index.js'
import { randomHistories } from '../../support/random-histories.js'
import { againstDefinition, judged } from '../against-definition.js'
import { isLinearizableBy } from '../linearizability/exact/by-model.js'
import { operation } from '../operation.js'
import { holdHistories } from './holds.js'

const patienceMs = 1_800_000
const runs = randomHistories(4_000, 4)

/** The fewest permits that the process can have just after a moment, over all ways in which its operations may go. */
function fewestHeld(own: readonly Operation[], at: number): number {
  const go = (left: readonly Operation[], held: number): number => {
    const mustGo = left.some(({ complete_ts: end }) => end !== null && end <= at)
    const fewest = mustGo ? Infinity : held
    return left.reduce((least, one) => {
      const waits = left.some(({ complete_ts: end }) => end !== null && end < one.invoke_ts)
      if (one.invoke_ts > at || waits) return least
      const rest = left.filter((other) => other !== one)
      return Math.min(least, go(rest, after(one, held)))
    }, fewest)
  }
  return go(own, 0)
}

function after({ op_type: type, output }: Operation, held: number): number {
  if (type === 'acquire') return output === false ? held : held + 1
  return output === false ? 0 : Math.max(0, held - 1)
}

/** Whether no more permits than there are must have been held at one moment. */
function isExclusive(operations: readonly Operation[], permits: number): boolean {
  const happened = operations.filter((one) => outcomeOf(one) !== 'failed')
  const processes = [...new Set(happened.map(({ process_id: process }) => process))]
  const moments = happened.flatMap(({ complete_ts: at }) => at ?? [])
  return moments.every((at) => {
    const held = processes.map((process) =>
      fewestHeld(
        happened.filter(({ process_id: own }) => own === process),
        at,
      ),
    )
    return held.reduce((sum, number) => sum + number, 0) <= permits
  })
}

describe('mutualExclusion', () => {
  const at = (
    op_type: string,
    process_id: number,
    from: number,
    to: number | null,
    more: Partial<Operation> = {},
  ) => operation({ op_type, process_id, at: [from, to], ...more })

  it.each([
    ['two grants without a release', [at('acquire', 1, 0, 1), at('acquire', 2, 2, 3)], false],
    [
      'a grant answered before the release',
      [at('acquire', 1, 0, 1), at('release', 1, 2, 6), at('acquire', 2, 3, 4)],
      true,
    ],
    [
      'a grant answered before the release is asked for',
      [at('acquire', 1, 0, 1), at('acquire', 2, 2, 3), at('release', 1, 4, 5)],
      false,
    ],
    ['a grant of unknown outcome', [at('acquire', 1, 0, null), at('acquire', 2, 2, 3)], true],
    [
      'a release of unknown outcome',
      [at('acquire', 1, 0, 1), at('release', 1, 2, null), at('acquire', 2, 3, 4)],
      true,
    ],
    [
      'a release that failed',
      [at('acquire', 1, 0, 1), at('release', 1, 2, 3, { error: 'refused' }), at('acquire', 2, 4, 5)],
      false,
    ],
    ['a failed acquire', [at('acquire', 1, 0, 1), at('acquire', 2, 2, 3, { error: 'busy' })], true],
    ['a refused acquire', [at('acquire', 1, 0, 1), at('acquire', 2, 2, 3, { output: false })], true],
    [
      'a release that finds the hold gone',
      [at('acquire', 1, 0, 1), at('release', 1, 2, 3, { output: false }), at('acquire', 2, 4, 5)],
      true,
    ],
    [
      'a renew that finds the hold gone',
      [at('acquire', 1, 0, 1), at('renew', 1, 2, 3, { output: false }), at('acquire', 2, 4, 5)],
      true,
    ],
    ['two locks', [at('acquire', 1, 0, 1, { key: 'a' }), at('acquire', 2, 2, 3, { key: 'b' })], true],
    [
      'an old release that comes late',
      [at('release', 1, 0, null), at('acquire', 1, 1, 2), at('acquire', 2, 3, 4)],
      true,
    ],
    [
      'a release before anything was held',
      [at('release', 1, 0, 1), at('acquire', 1, 2, 3), at('acquire', 2, 4, 5)],
      false,
    ],
    ['nothing', [], 'unknown'],
  ] as const)('%s', async (_, operations, valid) => {
    expect((await judged(mutualExclusion(), operations)).valid).toBe(valid)
  })

  it('lets as many hold as there are permits', async () => {
    const three = [at('acquire', 1, 0, 1), at('acquire', 2, 2, 3), at('acquire', 3, 4, 5)]
    expect((await judged(mutualExclusion({ permits: 3 }), three)).valid).toBe(true)
    expect((await judged(mutualExclusion(), three, semaphore(3))).valid).toBe(true)
    const { anomalies, evidence } = await judged(mutualExclusion({ permits: 2 }), three)
    expect(anomalies.map(({ type, operations }) => [type, operations.length])).toEqual([
      ['too-many-holders', 3],
    ])
    expect(evidence).toMatchObject({ grants: 3, mostHolders: 3, permits: 2, violations: 1 })
  })

  it('ends a hold by the types that it is told', async () => {
    const handed = [at('lock', 1, 0, 1), at('expired', 1, 2, 3), at('lock', 2, 4, 5)]
    const checker = mutualExclusion({ acquires: ['lock'], releases: ['unlock', 'expired'] })
    expect((await judged(checker, handed)).valid).toBe(true)
    expect((await judged(mutualExclusion({ acquires: ['lock'] }), handed)).valid).toBe(false)
  })

  it('cannot tell of leases whether one had run out', async () => {
    const passed = [at('acquire', 1, 0, 1), at('acquire', 2, 2, 3)]
    const { valid, reason } = await judged(mutualExclusion(), passed, lease())
    expect(valid).toBe('unknown')
    expect(reason).toContain('leaseExclusion(')
    expect((await judged(mutualExclusion(), passed.slice(1), lease())).valid).toBe(true)
  })

  it('says which option is wrong', () => {
    expect(() => mutualExclusion({ permits: 0 })).toThrow(DeclarationError)
    expect(() => mutualExclusion({ permits: 0 })).toThrow(/permits/)
  })

  it('agrees with the definition', { timeout: patienceMs }, async () => {
    const isValid = (operations: readonly Operation[]) => isExclusive(operations, 1)
    await againstDefinition(mutualExclusion(), { histories: holdHistories(), runs, isValid })
  })

  it(
    'agrees with the definition where processes go on after unknown outcomes',
    { timeout: patienceMs },
    async () => {
      const isValid = (operations: readonly Operation[]) => isExclusive(operations, 1)
      await againstDefinition(mutualExclusion(), {
        histories: holdHistories({ unruly: true }),
        runs,
        isValid,
        cores: false,
      })
    },
  )

  it('agrees with the definition for semaphores', { timeout: patienceMs }, async () => {
    const isValid = (operations: readonly Operation[]) => isExclusive(operations, 2)
    await againstDefinition(mutualExclusion({ permits: 2 }), {
      histories: holdHistories({ most: 10 }),
      runs,
      isValid,
    })
  })

  it('passes whatever is linearizable', { timeout: patienceMs }, async () => {
    await fc.assert(
      fc.asyncProperty(holdHistories(), async (operations) => {
        if (!isLinearizableBy(lock(), operations)) return
        expect((await judged(mutualExclusion(), operations)).valid).not.toBe(false)
      }),
      { numRuns: runs },
    )
  })

  const corpus = '../shared/corpora/'
  it.skipIf(!existsSync(corpus)).each([
    ['cases/histories/lock-granted-on-an-expired-lease.ndjson', false],
    ['cases/histories/grant-answered-before-the-release.ndjson', true],
    ['elle-cli/knossos-mutex-bad-etcd.ndjson', false],
  ])('%s (needs the corpora beside the repository)', async (file, valid) => {
    const { operations } = await readHistory(`${corpus}${file}`)
    expect((await judged(mutualExclusion(), operations)).valid).toBe(valid)
  })
})
