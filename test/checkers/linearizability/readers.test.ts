import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { prepare } from '../../../src/checkers/linearizability/prepare.js'
import { Readers } from '../../../src/checkers/linearizability/readers.js'
import type { Semantics } from '../../../src/models/model.js'
import { modelNamed } from '../../../src/models/index.js'
import { isLinearizable } from '../brute-force.js'
import { smallHistory } from '../small-history.js'
import { randomHistories } from '../../support/random-histories.js'

const runs = randomHistories(500, 3)

describe.each(['register', 'cas-register', 'map'] as const)(
  'leaving out calls of a %s',
  { timeout: 600_000 },
  (name) => {
    const semantics: Semantics = { init: 0, nullRead: 'absent', failed: 'observed' }

    it('keeps a linearizable history linearizable when what may depend on them goes too', () => {
      let kept = 0
      fc.assert(
        fc.property(smallHistory(name, 0), (operations) => {
          const model = modelNamed(name, semantics)
          for (const { calls } of prepare(operations, model).partitions) {
            const all = calls.map(({ operation }) => operation)
            if (!isLinearizable(all, semantics)) continue
            const readers = Readers.of(calls, model)
            for (const call of calls.filter(({ observer }) => !observer)) {
              const out = readers?.closure([call]) ?? new Set()
              const rest = calls.filter((other) => !out.has(other)).map(({ operation }) => operation)
              expect(isLinearizable(rest, semantics)).toBe(true)
              kept += rest.length
            }
          }
        }),
        { numRuns: runs },
      )
      expect(kept).toBeGreaterThan(runs)
    })
  },
)
