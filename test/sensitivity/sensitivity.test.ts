import { describe, expect, it } from 'vitest'
import { linearizable } from '../../src/checkers/index.js'
import type { Checker, CheckResult } from '../../src/checkers/checker.js'
import { validHistory } from '../../src/generators/valid-history.js'
import { modelNamed } from '../../src/models/named.js'
import { forbiddenBy, validateForbids } from '../../src/sensitivity/forbids.js'
import type { SensitivityOptions } from '../../src/sensitivity/options.js'
import { sensitivityOf } from '../../src/sensitivity/sensitivity.js'

const real = linearizable()
const model = modelNamed('queue')
const operations = validHistory(model, { operations: 200, seed: 5 })

const answer = (valid: CheckResult['valid'], reason: string | null = null): CheckResult => ({
  ...{ checker: 'own', model: 'queue', valid, reason, operations: 200, coverage: 'all', evidence: {} },
  ...{ anomalies: [], scope: [], ms: 1 },
})

/** A checker that says of every history that is not the recorded one or its beginning what `says` says. */
const own = (says: Checker['check'], changes: Partial<Checker> = {}): Checker => ({
  ...{ ...real, name: 'own' },
  check: async (input) => ((await real.check(input)).valid === true ? answer(true) : says(input)),
  ...changes,
})

const ask = (
  checker: Checker,
  options: SensitivityOptions = {},
  signal = new AbortController().signal,
  seed = 3,
) =>
  sensitivityOf({
    checker,
    history: { operations, model, collected: null },
    clean: answer(true),
    faults: [],
    options,
    seed,
    signal,
  })

describe('what counts as noticed', () => {
  it('is an answer of invalid', async () => {
    expect(await ask(own(async () => answer(false)))).toMatchObject({ mutants: 20, killed: 20, reason: null })
  })

  it('is no answer of unknown', async () => {
    const { killed, survivors } = await ask(own(async () => answer('unknown', 'it is too hard')))
    expect(killed).toBe(0)
    expect(survivors[0]?.what).toMatch(/; it answers unknown: it is too hard$/)
  })

  it('is no failure of the checker', async () => {
    const { killed, survivors } = await ask(own(() => Promise.reject(new Error('out of range'))))
    expect(killed).toBe(0)
    expect(survivors[0]?.what).toMatch(/; the checker itself fails: out of range$/)
  })
})

it('the same seed draws the same mutants, another one others', async () => {
  const blind = own(async () => answer(true))
  const what = async (seed: number) =>
    (await ask(blind, {}, undefined, seed)).survivors.map((one) => one.what)
  const first = await what(3)
  expect(await what(3)).toEqual(first)
  expect(await what(4)).not.toEqual(first)
  expect(new Set(first).size).toBe(first.length)
})

it('a checker is asked about the whole history and about small parts of it', async () => {
  const sizes: number[] = []
  await ask(own(async (input) => (sizes.push(input.operations.length), answer(false))))
  expect(Math.max(...sizes)).toBeGreaterThanOrEqual(operations.length - 1)
  expect(sizes.filter((size) => size <= 24).length).toBeGreaterThan(10)
})

it('a checker of the user’s own says what it forbids', async () => {
  const only = { forbids: ['take-duplicated'], usesModel: false }
  const { mutations } = await ask(
    own(async () => answer(false), only),
    { mutants: 5 },
  )
  expect(mutations).toEqual([{ name: 'take-duplicated', mutants: 5, killed: 5 }])
  const silent = await ask(own(async () => answer(false), { usesModel: false }))
  expect(silent).toMatchObject({ mutants: 0, reason: expect.stringContaining('`forbids`') })
  expect(() => validateForbids({ forbids: ['take-doubled'] }, 'own')).toThrow(
    'own: there is no mutation "take-doubled"',
  )
})

it('of a model that it does not know it knows no mutants, unless it is of a single value', () => {
  const { object: _, ...unknown } = { ...model, name: 'mailbox' }
  const history = { operations, model: unknown, collected: null }
  expect(forbiddenBy({ name: 'own', usesModel: true }, history)).toMatchObject({
    mutations: [],
    reason: 'no mutation is known of what own forbids by the model mailbox',
  })
  const cell = { ...modelNamed('register'), name: 'cell' }
  const { mutations } = forbiddenBy({ name: 'own', usesModel: true }, { ...history, model: cell })
  expect(mutations.map(({ name }) => name)).toContain('stale-read')
})

it('ends when it is cancelled', async () => {
  const stop = new AbortController()
  const checker = own(async () => (stop.abort(), answer('unknown', 'it was cancelled')))
  expect(await ask(checker, {}, stop.signal)).toMatchObject({
    mutants: 0,
    reason: 'only 0 of 20 mutants: it was cancelled',
  })
})

it('a mutant that takes longer than the check did does not count, and the rest is left out', async () => {
  let asked = 0
  const checker = own(async ({ timeoutMs }) => {
    asked += 1
    if (asked !== 4) return answer(false)
    await new Promise((resolve) => setTimeout(resolve, timeoutMs + 1))
    return answer('unknown', 'the time ran out')
  })
  const { mutants, killed, survivors, reason } = await ask(checker, { mutants: 8 })
  expect(killed).toBe(mutants)
  expect(mutants).toBeLessThan(8)
  expect(survivors).toEqual([])
  expect(reason).toMatch(/^only \d of 8 mutants: .+ was not decided in \d+ ms/)
})

it('a checker that decides hardly any in time does not notice them', async () => {
  const checker = own(async ({ timeoutMs }) => {
    await new Promise((resolve) => setTimeout(resolve, timeoutMs + 1))
    return answer('unknown', 'the time ran out')
  })
  const { mutants, killed, survivors, reason } = await ask(checker, { mutants: 8 })
  expect(killed).toBe(0)
  expect(mutants).toBeGreaterThanOrEqual(3)
  expect(survivors).toHaveLength(mutants)
  expect(reason).toMatch(/^only \d of 8 mutants: .*used up$/)
})
