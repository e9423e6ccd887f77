import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fencingTokens } from '../../../src/checkers/index.js'
import { DeclarationError } from '../../../src/errors.js'
import { outcomeOf, type Operation } from '../../../src/history/operation.js'
import { randomHistories } from '../../support/random-histories.js'
import { againstDefinition, judged } from '../against-definition.js'
import { operation } from '../operation.js'

const patienceMs = 1_800_000

const tokenOf = ({ op_type: type, input, output }: Operation) =>
  (type === 'write' ? (input as { token: number }).token : output) as number

/** The claim pair by pair. */
function isFenced(operations: readonly Operation[]): boolean {
  const counted = operations.filter(
    (one) => outcomeOf(one) === 'ok' && one.output !== false && one.op_type !== 'release',
  )
  return counted.every((first) =>
    counted.every((second) => {
      if (first === second || first.key !== second.key) return true
      const isUse = first.op_type === 'write'
      if (isUse !== (second.op_type === 'write')) return true
      const [older, newer] = [tokenOf(first), tokenOf(second)]
      if (!isUse && older === newer && first.process_id !== second.process_id) return false
      return first.complete_ts! >= second.invoke_ts || older <= newer
    }),
  )
}

const step = fc.record({
  type: fc.constantFrom('acquire', 'acquire', 'acquire', 'write', 'write', 'write', 'renew', 'release'),
  process: fc.nat(2),
  key: fc.constantFrom('a', 'a', 'a', 'a', 'a', 'b'),
  invoke: fc.nat(20),
  length: fc.nat(3),
  outcome: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'refused', 'failed', 'unknown'),
  error: fc.constantFrom(0, 0, 0, -25, -12, 1, 20),
})

const histories = fc.array(step, { maxLength: 10, size: 'max' }).map((steps) =>
  steps.map(({ type, process, key, invoke, length, outcome, error }, n) => {
    const token = Math.max(0, 3 * (invoke + length) + process + error)
    return operation({
      op_id: n,
      op_type: type,
      process_id: process,
      key,
      at: [invoke, outcome === 'unknown' ? null : invoke + length],
      input: type === 'write' ? { value: n, token } : null,
      output: outcome === 'refused' ? false : outcome === 'ok' && type !== 'write' ? token : null,
      ...(outcome === 'failed' ? { error: 'refused' } : {}),
    })
  }),
)

describe('fencingTokens', () => {
  const grant = (
    process_id: number,
    from: number,
    output: Operation['output'],
    more: Partial<Operation> = {},
  ) => operation({ op_type: 'acquire', process_id, at: [from, from + 1], output, ...more })
  const write = (from: number, token: number | string, more: Partial<Operation> = {}) =>
    operation({ op_type: 'write', at: [from, from + 1], input: { token, value: 1 }, ...more })

  it.each([
    ['growing tokens', [grant(1, 0, 1), grant(2, 2, 5)], true],
    ['a token that falls', [grant(1, 0, 5), grant(2, 2, 1)], 'token-not-growing'],
    ['a token given to two', [grant(1, 0, 5), grant(2, 0, 5)], 'token-reused'],
    ['a token given to its holder again', [grant(1, 0, 5), grant(1, 2, 5)], true],
    ['grants that overlap', [grant(1, 0, 5), grant(2, 1, 4)], true],
    ['tokens in objects', [grant(1, 0, { token: 5 }), grant(2, 2, { token: 1 })], 'token-not-growing'],
    [
      'tokens too large for a number',
      [grant(1, 0, '9007199254740993'), grant(2, 2, '9007199254740992')],
      'token-not-growing',
    ],
    ['a refusal', [grant(1, 0, 5), grant(2, 2, false)], true],
    ['two locks', [grant(1, 0, 5, { key: 'a' }), grant(2, 2, 1, { key: 'b' })], true],
    ['an old token used after a newer one', [write(0, 5), write(2, 4)], 'stale-token-accepted'],
    ['an old token refused', [write(0, 5), write(2, 4, { output: false })], true],
    ['an old token that failed', [write(0, 5), write(2, 4, { error: 'fenced off' })], true],
    ['an old token whose use is of unknown outcome', [write(0, 5), write(2, 4, { complete_ts: null })], true],
    ['an old token used at the same time', [write(0, 5), write(1, 4)], true],
  ] as const)('%s', async (_, operations, expected) => {
    const { valid, anomalies } = await judged(fencingTokens(), operations)
    expect(valid).toBe(expected === true)
    expect(anomalies.map(({ type }) => type)).toEqual(expected === true ? [] : [expected])
  })

  it('finds the token where it is told to look, and says so when there is none', async () => {
    const [first, second] = [grant(1, 0, { lease: { id: 7 } }), grant(2, 2, { lease: { id: 6 } })]
    expect((await judged(fencingTokens({ token: 'lease.id' }), [first, second])).valid).toBe(false)
    const blind = await judged(fencingTokens(), [first, second])
    expect(blind).toMatchObject({ valid: 'unknown', evidence: { grants: 0, grantsWithoutToken: 2 } })
    expect(blind.reason).toContain('none of 2 grants')
    expect(() => fencingTokens({ token: '' })).toThrow(DeclarationError)
  })

  it('agrees with the definition', { timeout: patienceMs }, async () => {
    const runs = randomHistories(2_000)
    await againstDefinition(fencingTokens(), { histories, runs, isValid: isFenced })
  })
})
