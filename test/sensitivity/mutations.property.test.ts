import { describe, expect, it } from 'vitest'
import { validHistory } from '../../src/generators/valid-history.js'
import { modelNamed, modelNames } from '../../src/models/named.js'
import { Random } from '../../src/random/random.js'
import { forbiddenBy } from '../../src/sensitivity/forbids.js'
import { mutations } from '../../src/sensitivity/mutations/index.js'
import { isLinearizable } from '../checkers/brute-force.js'
import { randomHistories } from '../support/random-histories.js'
import { hasOrder, inRealTime, inSession } from './by-definition.js'

const inAll = randomHistories(400 * modelNames.length)
const ofEach = Math.ceil(inAll / modelNames.length)
const claims = [
  { checker: 'linearizable', precedes: inRealTime },
  { checker: 'sequential', precedes: inSession },
] as const

const mutated = new Set<string>()

describe.each(modelNames)('mutants of histories of %s', (name) => {
  it.each(claims)('are no histories of $checker objects', { timeout: 300_000 }, ({ checker, precedes }) => {
    const model = modelNamed(name)
    let mutants = 0
    for (let seed = 0; seed < ofEach / claims.length; seed += 1) {
      const shape = { operations: 4 + (seed % 7), processes: 1 + (seed % 3), keys: 1 + (seed % 2) }
      const operations = validHistory(model, { ...shape, unknown: 0.1, failed: 0.05, seed })
      const history = { operations, model, collected: null }
      const { mutations: forbidden } = forbiddenBy({ name: checker, usesModel: true }, history)
      const [mutation] = new Random(seed).shuffle(forbidden)
      const mutant = mutation?.draw(history, new Random(seed)) ?? null
      if (mutation === undefined || mutant === null) continue
      mutants += 1
      mutated.add(mutation.name)
      const told = () =>
        `seed ${seed}, ${mutation.name}: ${mutant.what}\n${JSON.stringify(mutant.operations)}`
      if (hasOrder(mutant.operations, { model, precedes })) expect.fail(told())
      expect(mutant.operations).not.toEqual(operations)
    }
    const { mutations: known } = forbiddenBy(
      { name: checker, usesModel: true },
      { operations: [], model, collected: null },
    )
    if (known.length > 0) expect(mutants).toBeGreaterThan(ofEach / 200)
  })
})

it('values that are changed are seen by a definition that knows no models', { timeout: 300_000 }, () => {
  for (let seed = 0; seed < ofEach; seed += 1) {
    const model = modelNamed(['register', 'cas-register', 'map'][seed % 3] as string)
    const shape = { operations: 4 + (seed % 5), processes: 2, unknown: 0.1, failed: 0.05, seed }
    const operations = validHistory(model, shape)
    expect(isLinearizable(operations, model.semantics)).toBe(true)
    const history = { operations, model, collected: null }
    for (const mutation of forbiddenBy({ name: 'linearizable', usesModel: true }, history).mutations) {
      const mutant = mutation.draw(history, new Random(seed))
      if (mutant === null) continue
      if (isLinearizable(mutant.operations, model.semantics)) expect.fail(`seed ${seed}: ${mutant.what}`)
    }
  }
})

it('every mutation that a model forbids was drawn', () => {
  const ofOthers = [
    'delivery-lost',
    'producer-overtaken',
    'effect-duplicated',
    'id-repeated',
    'two-leaders',
    'replica-differs',
    'stale-token-accepted',
    'acknowledged-write-dropped',
    'final-unwritten',
    'element-vanished',
    'element-skipped',
    'append-missing',
    'total-broken',
  ]
  const missing = mutations.map(({ name }) => name).filter((name) => !mutated.has(name))
  expect(missing.filter((name) => !ofOthers.includes(name))).toEqual([])
})
