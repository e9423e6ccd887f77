import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partsOf } from '../../../../src/checkers/linearizability/encode.js'
import { memoryOf } from '../../../../src/checkers/linearizability/search/memory.js'
import { callsOfPart } from '../../../../src/checkers/linearizability/search/model-calls.js'
import {
  portableCalls,
  portableRegister,
  problemOfPortable,
} from '../../../../src/checkers/linearizability/search/portable.js'
import { Search } from '../../../../src/checkers/linearizability/search/search.js'
import { columnsOf } from '../../../../src/history/columns-builder.js'
import { modelNamed } from '../../../../src/models/index.js'
import type { Semantics } from '../../../../src/models/model.js'
import { isLinearizable } from '../../brute-force.js'
import { smallHistory } from '../../small-history.js'
import { randomHistories } from '../../../support/random-histories.js'

const combinations = (['register', 'cas-register', 'map'] as const).flatMap((model) =>
  (['register', 'calls'] as const).map((as) => ({ model, as })),
)
const runs = randomHistories(200, combinations.length)

describe.each(combinations)('a $model sent as $as', { timeout: 600_000 }, ({ model: name, as }) => {
  it('is judged where it arrives as the definition does', () => {
    const semantics: Semantics = { init: 0, nullRead: 'absent', failed: 'observed' }
    const model = modelNamed(name, semantics)
    const seen = { true: 0, false: 0 }
    fc.assert(
      fc.property(smallHistory(name, 0), fc.boolean(), (operations, isOrdered) => {
        const columns = columnsOf(operations)
        const outcomes = partsOf(columns, model).parts.map((part) => {
          const order = isOrdered ? Float64Array.from(part.source, (index) => -index) : undefined
          const portable =
            as === 'register'
              ? portableRegister(part, order)
              : portableCalls(callsOfPart(part, { columns, model }), model, order)
          const problem = problemOfPortable(structuredClone(portable))
          expect(problem.order).toEqual(order)
          expect(problem.invoke.buffer).toBeInstanceOf(SharedArrayBuffer)
          return Search.of(problem, memoryOf(1e8))?.advance(1e6)
        })
        const expected = isLinearizable(operations, semantics)
        expect(outcomes.every((outcome) => outcome === 'linearizable')).toBe(expected)
        seen[expected ? 'true' : 'false'] += 1
      }),
      { numRuns: runs },
    )
    expect(Math.min(...Object.values(seen)) / runs).toBeGreaterThan(0.1)
  })
})
