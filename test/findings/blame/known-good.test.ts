import { describe, expect, it } from 'vitest'
import { catalog } from '../../../src/checkers/catalog.js'
import type { Checker } from '../../../src/checkers/checker.js'
import { linearizable, reconciliation, slo } from '../../../src/checkers/index.js'
import { knownGoodHistory } from '../../../src/findings/blame/known-good.js'
import { validHistory } from '../../../src/generators/valid-history.js'
import { membershipTable, model, modelNamed, modelNames, register } from '../../../src/models/index.js'
import { operation } from '../../checkers/operation.js'

const { signal } = new AbortController()

const operations = [
  operation({ op_type: 'write', input: 1, at: [0, 10], process_id: 0 }),
  operation({ op_type: 'write', input: 2, at: [20, 30], process_id: 1 }),
  operation({ op_type: 'read', output: 1, at: [40, 50], process_id: 2 }),
]
const tried = { checker: linearizable(), model: register(), operations, signal }
const found = { ...(await linearizable().check({ ...tried, collected: null, timeoutMs: 1_000 })) }

/** As the checker of linearizability, with an answer of its own. */
function answering(changes: Partial<typeof found>, others: Partial<Checker> = {}): Checker {
  return { ...linearizable(), ...others, check: async () => ({ ...found, ...changes }) }
}

describe('knownGoodHistory', () => {
  it('clears a checker that accepts what is good by construction', async () => {
    expect(await knownGoodHistory(tried)).toMatchObject({ points: null, clears: ['checker'] })
  })

  it('points at a checker, or a model, that does not', async () => {
    const strict = answering({ valid: false })
    expect(await knownGoodHistory({ ...tried, checker: strict })).toMatchObject({
      points: 'checker',
      clears: [],
    })

    const forgetful = model({
      name: 'register',
      operations: ['read', 'write'],
      init: () => 0,
      step: (state, { outcome, type, output }) =>
        type === 'read' && outcome === 'ok' && output !== 0 ? undefined : state,
    })
    expect(await knownGoodHistory({ ...tried, model: forgetful })).toMatchObject({ points: 'checker' })
  })

  it('points at one that does not fit the model and rejects what is good', async () => {
    const misfit = answering({ valid: false }, { pattern: 2, usesModel: false, misfit: () => 'not for this' })
    expect(await knownGoodHistory({ ...tried, checker: misfit })).toMatchObject({ points: 'checker' })
  })

  it('does not clear one that judged nothing, nor one that does not fit', async () => {
    const idle = answering({ valid: true, operations: 0 })
    expect(await knownGoodHistory({ ...tried, checker: idle })).toMatchObject({
      points: null,
      clears: [],
      outcome: expect.stringContaining('has judged none of them'),
    })
    const misfit = answering({ valid: true }, { misfit: () => 'it is for queues' })
    expect(await knownGoodHistory({ ...tried, checker: misfit })).toMatchObject({
      points: null,
      clears: [],
      outcome: expect.stringContaining('does not fit: it is for queues'),
    })
  })

  it('tells of a checker that fails on it, and blames nobody for that', async () => {
    const failing: Checker = {
      ...linearizable(),
      check: async () => {
        throw new Error('no field ttl')
      },
    }
    expect(await knownGoodHistory({ ...tried, checker: failing })).toMatchObject({
      points: null,
      clears: [],
      outcome: expect.stringContaining('no field ttl'),
    })
  })

  it('has nothing to show without operations to take the shape from', async () => {
    expect(await knownGoodHistory({ ...tried, operations: [] })).toBeNull()
  })

  it('has nothing to show to a checker of the live system, nor for a model that nobody knows to play', async () => {
    const own = model({ name: 'own', operations: ['x'], init: () => 0, step: (state) => state })
    expect(await knownGoodHistory({ ...tried, model: own })).toBeNull()
    const live: Checker = { ...linearizable(), collect: async () => null }
    expect(await knownGoodHistory({ ...tried, checker: live })).toBeNull()
  })

  it('has nothing to show to what judges time or equal replicas, which histories are not made for', async () => {
    expect(
      await knownGoodHistory({ ...tried, checker: slo({ latency: { percentile: 99, atMost: '1ms' } }) }),
    ).toBeNull()
    const views = validHistory(membershipTable(), { operations: 60, processes: 3, keys: 2, seed: 9 })
    const replicas = { checker: reconciliation(), model: membershipTable(), operations: views, signal }
    const { collect: _, ...recorded } = replicas.checker
    expect(await knownGoodHistory({ ...replicas, checker: recorded })).toBeNull()
  })

  it.each(modelNames)('points at no checker of this package that fits %s', async (name) => {
    const shown = validHistory(name, {
      operations: 60,
      processes: 3,
      keys: 2,
      unknown: 0.1,
      failed: 0.1,
      seed: 9,
    })
    for (const { example } of catalog) {
      const checker = example()
      const judged = modelNamed(name)
      if (checker.misfit(judged, ['safety']) !== null) continue
      const experiment = await knownGoodHistory({ checker, model: judged, operations: shown, signal })
      expect(experiment?.points ?? null, `${checker.name}: ${experiment?.outcome}`).toBeNull()
    }
  })
})
