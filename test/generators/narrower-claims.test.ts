import { expect, it } from 'vitest'
import {
  atLeastOnce,
  bankTotal,
  boundedStaleness,
  counterBounds,
  exactlyOnce,
  fencingTokens,
  finalSet,
  leaseExclusion,
  logOffsets,
  mutualExclusion,
  noDuplicates,
  noLostAck,
  noUnexpected,
  prefixOrder,
  sequential,
  sessionConsistency,
  setFull,
  totalQueue,
  type Checker,
} from '../../src/checkers/index.js'
import { validHistory } from '../../src/generators/index.js'
import { ledger, modelNamed, semaphore, type Model } from '../../src/models/index.js'

const shape = { operations: 150, processes: 4, failed: 0.05 }
const seeds = Array.from({ length: 12 }, (_, seed) => seed)

const values = ['register', 'cas-register', 'map', 'session'].map((name) => modelNamed(name))
const noReads = { final: async () => null }

/** Claims that whoever is linearizable keeps as well. */
const pairs: readonly (readonly [Checker, readonly Model[]])[] = [
  [sequential(), [modelNamed('register'), modelNamed('session')]],
  [sessionConsistency(), values],
  [boundedStaleness({ within: 0 }), [modelNamed('register'), modelNamed('session')]],
  [noLostAck(noReads), [...values, modelNamed('set'), modelNamed('queue'), modelNamed('log')]],
  [totalQueue(), [modelNamed('queue')]],
  [noDuplicates(), [modelNamed('queue'), modelNamed('stack'), modelNamed('log')]],
  [noUnexpected(), [modelNamed('queue'), modelNamed('stack'), modelNamed('log')]],
  [prefixOrder(), [modelNamed('queue'), modelNamed('log')]],
  [logOffsets(), [modelNamed('log')]],
  [finalSet(), [modelNamed('set')]],
  [setFull({ linearizable: true }), [modelNamed('set')]],
  [counterBounds(), [modelNamed('counter')]],
  [mutualExclusion(), [modelNamed('lock')]],
  [mutualExclusion({ permits: 3 }), [semaphore(3)]],
  [fencingTokens(), [modelNamed('lease')]],
  [leaseExclusion({ ttl: 2, clockUncertainty: 0 }), [modelNamed('lease')]],
  [bankTotal(), [ledger({ init: { alice: 10, bob: 5 } })]],
  [exactlyOnce(), [ledger()]],
  [atLeastOnce(), [ledger()]],
]
const cases = pairs.flatMap(([checker, models]) =>
  models.map((model) => ({ name: checker.name, model: model.name, checker, subject: model })),
)

it.each(cases)(
  '$name finds nothing in valid histories of $model',
  { timeout: 60_000 },
  async ({ checker, subject }) => {
    for (const seed of seeds) {
      const given = { ...shape, keys: 1 + (seed % 3), unknown: seed % 2 === 0 ? 0 : 0.05, seed }
      const operations = validHistory(subject, given)
      const result = await checker.check({ operations, model: subject, collected: null, timeoutMs: 5_000 })
      expect(result.anomalies, `seed ${seed}`).toEqual([])
      expect(result.valid).not.toBe(false)
    }
  },
)
