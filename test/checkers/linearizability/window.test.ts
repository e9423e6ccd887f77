import { expect, test } from 'vitest'
import { partsOf } from '../../../src/checkers/linearizability/encode.js'
import { shownByWindow } from '../../../src/checkers/linearizability/linearizable-search.js'
import { none } from '../../../src/checkers/linearizability/part.js'
import { startPacer } from '../../../src/checkers/pacer.js'
import { columnsOf } from '../../../src/history/columns-builder.js'
import { register } from '../../../src/models/index.js'
import { isLinearizable } from '../brute-force.js'
import { operation } from '../operation.js'

/** The value 2 is written once, and seen before and after a 1 that could be either of two. */
const operations = [
  operation({ op_type: 'write', input: 1, at: [0, 100] }),
  operation({ op_type: 'write', input: 2, at: [1, 101] }),
  operation({ op_type: 'write', input: 1, at: [2, 102] }),
  operation({ op_type: 'read', output: 1, at: [10, 11] }),
  operation({ op_type: 'read', output: 2, at: [12, 13] }),
  operation({ op_type: 'read', output: 1, at: [14, 15] }),
  operation({ op_type: 'read', output: 2, at: [16, 17] }),
]
const model = register()
const columns = columnsOf(operations)
const encoded = partsOf(columns, model)
const telling = { columns, encoded, model, pacer: startPacer({ timeoutMs: 60_000 }) }
const part = encoded.parts[0]!
const ranOut = { outcome: 'open', explored: 0, states: [] } as const

test('a search that ran out leaves a violation to the operations shortly before it', async () => {
  const anomaly = await shownByWindow({ part }, { ...ranOut, stuckAt: part.source.indexOf(6) }, telling)
  const core = operations.filter(({ op_id: id }) => anomaly?.operations.includes(id))
  expect(core.length).toBeGreaterThan(0)
  expect(isLinearizable(core, { init: null, nullRead: 'absent', failed: 'ignored' })).toBe(false)
})

test('where the search was not stuck, and in an orderly history, nothing is shown', async () => {
  expect(await shownByWindow({ part }, { ...ranOut, stuckAt: none }, telling)).toBeNull()
  expect(await shownByWindow({ part }, { ...ranOut, stuckAt: part.source.indexOf(4) }, telling)).toBeNull()
})
