import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bankTotal } from '../../../src/checkers/index.js'
import { DeclarationError } from '../../../src/errors.js'
import { outcomeOf, type Operation } from '../../../src/history/operation.js'
import { readHistory } from '../../../src/history/read.js'
import { ledger } from '../../../src/models/index.js'
import { randomHistories } from '../../support/random-histories.js'
import { againstDefinition, judged } from '../against-definition.js'
import { operation } from '../operation.js'
import { ledgerHistories } from './ledger-histories.js'

const patienceMs = 1_800_000
type Balances = Record<string, number>

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
const happened = (operations: readonly Operation[], ...types: string[]) =>
  operations.filter(
    (one) => types.includes(one.op_type) && outcomeOf(one) !== 'failed' && one.output !== false,
  )
const answered = (operations: readonly Operation[], type: string) =>
  operations.filter((one) => one.op_type === type && outcomeOf(one) === 'ok')

/** Every sum that all accounts may have held before anything happened, by one read: each choice of overlapping deposits. */
function startsBy(read: Operation, operations: readonly Operation[]): readonly number[] {
  const shown = sum(Object.values(read.output as Balances))
  const deposits = happened(operations, 'credit', 'debit').filter(
    ({ invoke_ts: at }) => at <= read.complete_ts!,
  )
  return deposits.reduce<number[]>(
    (starts, { op_type: type, input, complete_ts: at }) => {
      const back = type === 'credit' ? -Number(input) : Number(input)
      const isSure = at !== null && at < read.invoke_ts
      return starts.flatMap((start) => (isSure ? [start + back] : [start, start + back]))
    },
    [shown],
  )
}

/** Whether one start explains every read: it need only lie between the least and the most that each read allows. */
function conserves(operations: readonly Operation[], declared: number | null): boolean {
  const ranges = answered(operations, 'read').map((read) => startsBy(read, operations))
  const starts = declared === null ? Array.from({ length: 100 }, (_, n) => n - 50) : [declared]
  return starts.some((start) =>
    ranges.every((range) => Math.min(...range) <= start && start <= Math.max(...range)),
  )
}

function isNeverNegative(operations: readonly Operation[]): boolean {
  return answered(operations, 'read').every(({ output }) =>
    Object.values(output as Balances).every((n) => n >= 0),
  )
}

/** The claim for balances of the two accounts a and b, pair by pair. */
function conservesBalances(operations: readonly Operation[]): boolean {
  const balances = answered(operations, 'balance')
  const changes = happened(operations, 'transfer')
  const isQuiet = (one: Operation, other: Operation) => {
    const from = Math.min(one.invoke_ts, other.invoke_ts)
    const to = Math.max(one.complete_ts!, other.complete_ts!)
    return !changes.some(({ invoke_ts: at, complete_ts: end }) => at <= to && (end ?? Infinity) >= from)
  }
  const pairs = balances.flatMap((one) => balances.map((other) => [one, other] as const))
  const quiet = pairs.filter(([one, other]) => isQuiet(one, other))
  const named = new Set([...balances.map(({ key }) => key), ...(changes.length > 0 ? ['a', 'b'] : [])])
  const sums = quiet
    .filter(([one, other]) => (named.size === 2 ? one.key === 'a' && other.key === 'b' : one === other))
    .map(([one, other]) => Number(one.output) + (named.size === 2 ? Number(other.output) : 0))
  return (
    new Set(sums).size <= 1 &&
    quiet.every(([one, other]) => one.key !== other.key || one.output === other.output)
  )
}

describe('bankTotal', () => {
  const read = (from: number, output: Operation['output'], more: Partial<Operation> = {}) =>
    operation({ op_type: 'read', at: [from, from + 1], output, ...more })
  const change = (op_type: string, from: number, to: number | null, more: Partial<Operation> = {}) =>
    operation({ op_type, at: [from, to], ...more })
  const transfer = change('transfer', 2, null, { input: { from: 'a', to: 'b', amount: 1 } })

  it.each([
    ['the same sum', [read(0, { a: 3, b: 7 }), read(2, { a: 5, b: 5 })], true],
    ['another sum', [read(0, { a: 3, b: 7 }), read(2, { a: 5, b: 6 })], 'wrong-total'],
    ['another sum that failed', [read(0, { a: 3, b: 7 }), read(2, { a: 5 }, { error: 'x' })], true],
    ['an account that is gone', [read(0, { a: 3, b: 7 }), read(2, { a: 3 })], 'wrong-total'],
    ['an account without a balance', [read(0, { a: 3, b: 7 }), read(2, { a: 3, b: null })], 'no-balance'],
    ['a balance below 0', [read(0, { a: 3, b: 7 }), read(2, { a: -1, b: 11 })], 'negative-balance'],
    ['some of the accounts', [read(0, { a: 3, b: 7 }), read(2, { a: 3 }, { input: ['a'] })], true],
    ['fractions', [read(0, { a: 0.1, b: 0.2 }), read(2, { a: 0.3, b: 0 })], true],
    [
      'a transfer of unknown outcome',
      [read(0, { a: 3, b: 7 }), transfer, read(4, { a: 3, b: 8 })],
      'wrong-total',
    ],
    [
      'a credit',
      [read(0, { a: 3 }), change('credit', 2, 3, { key: 'a', input: 4 }), read(4, { a: 7 })],
      true,
    ],
    [
      'a lost credit',
      [read(0, { a: 3 }), change('credit', 2, 3, { key: 'a', input: 4 }), read(4, { a: 3 })],
      'wrong-total',
    ],
    [
      'a credit of unknown outcome',
      [
        read(0, { a: 3 }),
        change('credit', 2, null, { key: 'a', input: { amount: 4 } }),
        read(4, { a: 7 }),
        read(6, { a: 3 }),
      ],
      true,
    ],
    [
      'a refused debit',
      [read(0, { a: 3 }), change('debit', 2, 3, { key: 'a', input: 4, output: false }), read(4, { a: 3 })],
      true,
    ],
    ['nothing', [], 'unknown'],
    ['answers that are no balances', [read(0, 'ok')], 'unknown'],
    ['a credit without an amount', [read(0, { a: 3 }), change('credit', 2, 3, { key: 'a' })], 'unknown'],
  ] as const)('%s', async (_, operations, expected) => {
    const { valid, anomalies } = await judged(bankTotal(), operations)
    expect(valid).toBe(typeof expected === 'string' && expected !== 'unknown' ? false : expected)
    if (valid === false) expect(anomalies.map(({ type }) => type)).toEqual([expected])
  })

  it('takes the total from its option, else from the model, else from the first read', async () => {
    const [ten, eleven] = [read(0, { a: 3, b: 7 }), read(2, { a: 4, b: 7 })]
    const init = ledger({ init: { a: 11 } })
    expect((await judged(bankTotal({ total: 10 }), [ten], init)).valid).toBe(true)
    expect((await judged(bankTotal(), [ten], init)).valid).toBe(false)
    expect((await judged(bankTotal(), [ten], ledger())).valid).toBe(true)
    const { anomalies } = await judged(bankTotal(), [ten, eleven])
    expect(anomalies).toEqual([
      expect.objectContaining({ type: 'wrong-total', operations: [ten.op_id, eleven.op_id] }),
    ])
  })

  it('allows balances below 0 when told, and says which option is wrong', async () => {
    expect((await judged(bankTotal({ negative: 'allowed' }), [read(0, { a: -1 })])).valid).toBe(true)
    expect(() => bankTotal({ negative: true as never })).toThrow(DeclarationError)
  })

  it('adds up balances of single accounts only while nothing changes', async () => {
    const balance = (from: number, key: string, output: number) =>
      change('balance', from, from + 1, { key, output })
    const quiet = [balance(0, 'a', 3), balance(0, 'b', 7), { ...transfer, complete_ts: 3, error: null }]
    const gone = [...quiet, balance(4, 'a', 2), balance(4, 'b', 7)]
    expect((await judged(bankTotal(), gone)).anomalies.map(({ type }) => type)).toEqual(['wrong-total'])
    const declared = ledger({ init: { a: 3, b: 8 } })
    expect((await judged(bankTotal(), quiet, declared)).valid).toBe(false)
    const restless = [transfer, balance(4, 'a', 2), balance(4, 'b', 7)]
    expect((await judged(bankTotal(), restless)).reason).toContain('no time in which nothing changed')
  })

  it('agrees with the definition', { timeout: patienceMs }, async () => {
    await againstDefinition(bankTotal(), {
      histories: ledgerHistories(['read', 'read', 'transfer'], 1),
      runs: randomHistories(3_000, 3),
      isValid: (operations) => conserves(operations, null) && isNeverNegative(operations),
    })
  })

  it('agrees with the definition on credits and debits', { timeout: patienceMs }, async () => {
    await againstDefinition(bankTotal({ total: 8, negative: 'allowed' }), {
      histories: ledgerHistories(['read', 'read', 'transfer', 'credit', 'debit']),
      runs: randomHistories(3_000, 3),
      isValid: (operations) => conserves(operations, 8),
      // The credits and debits that the sum is compared with are told as numbers.
      cores: false,
    })
  })

  it('agrees with the definition on balances', { timeout: patienceMs }, async () => {
    await againstDefinition(bankTotal({ negative: 'allowed' }), {
      histories: ledgerHistories(['balance', 'balance', 'balance', 'transfer'], 3),
      runs: randomHistories(3_000, 3),
      isValid: conservesBalances,
      // Balances that disagree with earlier ones are told without them.
      cores: false,
    })
  })

  const corpus = '../shared/corpora/'
  it.skipIf(!existsSync(corpus)).each([
    ['cases/histories/retry-of-stale-writes-mints-money.ndjson', false],
    ['elle-cli/jepsen-bank.ndjson', true],
    ['elle-cli/jepsen-bank-json.ndjson', true],
    ['elle-cli/jepsen-bank-neg.ndjson', true],
    ['elle-cli/jepsen-bank-tidb.ndjson', false],
    ['elle-cli/jepsen-bank-negative-balances.ndjson', false],
  ])('%s (needs the corpora beside the repository)', async (file, valid) => {
    const { operations } = await readHistory(`${corpus}${file}`)
    expect((await judged(bankTotal(), operations)).valid).toBe(valid)
    expect((await judged(bankTotal(), operations, ledger())).valid).toBe(valid)
  })
})
